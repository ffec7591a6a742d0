package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Reads and locks the row of a lock in the entity's table, unless another transaction has locked it.
 *
 * <p>The SQL is that which PostgreSQL and H2 share. Hibernate 6.6 does not know that H2 has SKIP LOCKED, and would wait
 * for the lock.
 *
 * @param table the table, as Hibernate names it in its own statements
 */
record UnlockedRows(String table) {

    static UnlockedRows of(EntityManagerFactory factory) {
        return new UnlockedRows(factory.unwrap(SessionFactoryImplementor.class)
                .getMappingMetamodel()
                .getEntityDescriptor(LockRecord.class)
                .getMappedTableDetails()
                .getTableName());
    }

    /** Reads and locks a row until the end of the transaction; empty if there is none or another transaction has locked it. */
    Optional<LockRecord> locked(EntityManager manager, LockKey key) {
        String statement = "SELECT * FROM " + table + " WHERE name_hash = :hash FOR UPDATE SKIP LOCKED";
        List<?> rows = manager.createNativeQuery(statement, LockRecord.class)
                .setParameter("hash", key.hash())
                .getResultList();
        return rows.stream().map(LockRecord.class::cast).findFirst();
    }
}
