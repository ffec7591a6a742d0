/** Wrong providers whose fault shows with some values, with names that are alike, or when there are many. */
@NullMarked
package io.holdfast.wrong.kind;

import org.jspecify.annotations.NullMarked;
