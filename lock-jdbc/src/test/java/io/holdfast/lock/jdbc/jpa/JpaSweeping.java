package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.Timeouts;
import jakarta.persistence.EntityManagerFactory;
import java.util.Optional;

/** Lets tests sweep at once, and not by chance. */
public final class JpaSweeping {

    private JpaSweeping() {}

    public static int sweep(JpaLockProvider provider) {
        return provider.records().sweep();
    }

    /** A provider that sweeps after each release. */
    public static JpaLockProvider always(EntityManagerFactory factory) {
        return provider(factory, Strategy.PESSIMISTIC, new Sweeper(1));
    }

    /** A provider that never sweeps, for tests that count statements. */
    public static JpaLockProvider never(EntityManagerFactory factory, Strategy strategy) {
        return provider(factory, strategy, new Sweeper(Integer.MAX_VALUE));
    }

    private static JpaLockProvider provider(EntityManagerFactory factory, Strategy strategy, Sweeper sweeper) {
        PersistenceUnit unit = PersistenceUnit.given(factory);
        JpaOptions options = new JpaOptions(strategy, LockTable.of(LockTable.DEFAULT), Timeouts.USUAL, sweeper);
        return new JpaLockProvider(unit, unit.dialect(Optional.empty()), options, () -> {});
    }
}
