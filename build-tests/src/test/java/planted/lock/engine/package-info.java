/** The engine interface of the miniature. */
@NullMarked
package planted.lock.engine;

import org.jspecify.annotations.NullMarked;
