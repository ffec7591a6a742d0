package io.holdfast.lock.tck.faults;

import java.util.function.BooleanSupplier;

/**
 * The loss of one reply.
 *
 * @param fault loses the first reply to a command which the store carries out
 * @param happened whether it has lost one; a call does not show it, as a provider may repeat the command
 */
public record LostReply(Fault fault, BooleanSupplier happened) {}
