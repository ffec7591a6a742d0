/** Moves between the stores that there are, under the kit. */
@NullMarked
package io.holdfast.examples.migration;

import org.jspecify.annotations.NullMarked;
