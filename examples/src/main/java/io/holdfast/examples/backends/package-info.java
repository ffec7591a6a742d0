/** One program for each backend: the same program, except for the URI of the store. */
@NullMarked
package io.holdfast.examples.backends;

import org.jspecify.annotations.NullMarked;
