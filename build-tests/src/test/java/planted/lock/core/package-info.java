/** The engine of the miniature. */
@NullMarked
package planted.lock.core;

import org.jspecify.annotations.NullMarked;
