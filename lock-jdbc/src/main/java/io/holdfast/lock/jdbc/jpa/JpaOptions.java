package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import java.time.Duration;

/**
 * What a provider is opened with, whether by a URI or by its builder.
 *
 * @param strategy how bids keep each other out
 * @param table the table of locks
 * @param timeout for one statement
 * @param sweeper when to remove what the dead have left
 */
record JpaOptions(Strategy strategy, LockTable table, Duration timeout, Sweeper sweeper) {}
