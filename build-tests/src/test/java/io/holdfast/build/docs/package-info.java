/** Checks of the project's documents against its files and its code. */
@NullMarked
package io.holdfast.build.docs;

import org.jspecify.annotations.NullMarked;
