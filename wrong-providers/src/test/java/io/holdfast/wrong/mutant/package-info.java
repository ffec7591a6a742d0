/** Wrong providers that some lock library has been released with: the in-memory provider with one call done wrong. */
@NullMarked
package io.holdfast.wrong.mutant;

import org.jspecify.annotations.NullMarked;
