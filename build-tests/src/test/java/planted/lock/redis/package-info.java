/** A backend of the miniature. */
@NullMarked
package planted.lock.redis;

import org.jspecify.annotations.NullMarked;
