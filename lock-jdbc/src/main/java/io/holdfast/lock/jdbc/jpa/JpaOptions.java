package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import java.time.Duration;

/**
 * The settings of a provider that do not concern the unit, whether from a URI or from its builder.
 *
 * @param strategy how concurrent attempts exclude each other
 * @param table the table of locks
 * @param timeout for one statement
 * @param sweeper when to remove the records of holders that died
 */
record JpaOptions(Strategy strategy, LockTable table, Duration timeout, Sweeper sweeper) {}
