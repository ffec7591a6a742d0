/** What the pages show of a move from another library. */
@NullMarked
package io.holdfast.examples;

import org.jspecify.annotations.NullMarked;
