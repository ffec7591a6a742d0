/** Wrong providers whose fault is a gap between two steps, a repetition, a memory, or what stays behind. */
@NullMarked
package io.holdfast.wrong.spoilt;

import org.jspecify.annotations.NullMarked;
