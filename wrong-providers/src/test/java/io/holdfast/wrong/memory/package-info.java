/** Wrong providers on a store in memory: each is {@code PlainStore}, which is right, with one step done wrong. */
@NullMarked
package io.holdfast.wrong.memory;

import org.jspecify.annotations.NullMarked;
