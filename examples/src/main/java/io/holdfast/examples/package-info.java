/** Short programs that show one thing each. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
