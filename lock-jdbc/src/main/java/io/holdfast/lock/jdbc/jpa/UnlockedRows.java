package io.holdfast.lock.jdbc.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Reads and locks rows of the entity's table, and skips those that another transaction has locked.
 *
 * <p>The SQL is that which PostgreSQL and H2 share. Hibernate 6.6 does not know that H2 has SKIP LOCKED, and would wait
 * for the locks.
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

    /**
     * Locks rows until the end of the transaction.
     *
     * @param condition which rows, and how many, in SQL
     * @param values the values of its parameters
     */
    List<LockRecord> locked(EntityManager manager, String condition, Map<String, Object> values) {
        String statement = "SELECT * FROM " + table + " WHERE " + condition + " FOR UPDATE SKIP LOCKED";
        var query = manager.createNativeQuery(statement, LockRecord.class);
        values.forEach(query::setParameter);
        List<?> rows = query.getResultList();
        return rows.stream().map(LockRecord.class::cast).toList();
    }
}
