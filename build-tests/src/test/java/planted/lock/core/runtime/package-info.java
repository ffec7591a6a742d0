/** The threads of the miniature's engine. */
@NullMarked
package planted.lock.core.runtime;

import org.jspecify.annotations.NullMarked;
