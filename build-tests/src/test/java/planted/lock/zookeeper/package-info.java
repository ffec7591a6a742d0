/** Another backend of the miniature. */
@NullMarked
package planted.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
