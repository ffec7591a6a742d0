/** Checks of the project as a whole. */
@NullMarked
package io.holdfast.build;

import org.jspecify.annotations.NullMarked;
