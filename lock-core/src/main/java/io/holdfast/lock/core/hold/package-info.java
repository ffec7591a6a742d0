/** A grant and the handles that share it, until it is released or lost. */
@NullMarked
package io.holdfast.lock.core.hold;

import org.jspecify.annotations.NullMarked;
