/** Planted. */
@NullMarked
package io.holdfast.planted;

import org.jspecify.annotations.NullMarked;
