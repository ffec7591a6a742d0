/** A copy of the project in miniature. What is marked {@code Violates} breaks a rule; all the rest obeys. */
@NullMarked
package planted.lock;

import org.jspecify.annotations.NullMarked;
