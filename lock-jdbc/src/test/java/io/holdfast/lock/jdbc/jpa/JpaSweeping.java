package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.Timeouts;
import jakarta.persistence.EntityManagerFactory;
import java.util.Optional;

/** Lets the tests of the table sweep at once, and not by chance. */
public final class JpaSweeping {

    private JpaSweeping() {}

    public static int sweep(JpaLockProvider provider) {
        return provider.records().sweep();
    }

    /** A provider that sweeps after each release. */
    public static JpaLockProvider provider(EntityManagerFactory factory) {
        PersistenceUnit unit = PersistenceUnit.given(factory);
        JpaOptions options =
                new JpaOptions(Strategy.PESSIMISTIC, LockTable.of(LockTable.DEFAULT), Timeouts.USUAL, new Sweeper(1));
        return new JpaLockProvider(unit, unit.dialect(Optional.empty()), options, () -> {});
    }
}
