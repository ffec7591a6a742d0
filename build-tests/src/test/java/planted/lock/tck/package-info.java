/** The kit of the miniature. */
@NullMarked
package planted.lock.tck;

import org.jspecify.annotations.NullMarked;
