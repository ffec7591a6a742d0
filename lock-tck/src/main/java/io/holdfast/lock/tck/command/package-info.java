/** The kit as a command: {@link io.holdfast.lock.tck.command.Tck}. Not exported. */
@NullMarked
package io.holdfast.lock.tck.command;

import org.jspecify.annotations.NullMarked;
