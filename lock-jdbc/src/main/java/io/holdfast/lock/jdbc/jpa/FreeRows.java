package io.holdfast.lock.jdbc.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * The rows of the entity's table that nobody else has locked: reads them and locks them, past all others.
 *
 * <p>In words that PostgreSQL and H2 share. Hibernate 6.6 does not know them of H2, and would wait for the others.
 *
 * @param table the table, as Hibernate names it in its own statements
 */
record FreeRows(String table) {

    static FreeRows of(EntityManagerFactory factory) {
        return new FreeRows(factory.unwrap(SessionFactoryImplementor.class)
                .getMappingMetamodel()
                .getEntityDescriptor(LockRecord.class)
                .getMappedTableDetails()
                .getTableName());
    }

    /**
     * Locks them until the end of the transaction.
     *
     * @param condition which rows, and how many of them, in SQL
     * @param values of its parameters
     */
    List<LockRecord> locked(EntityManager manager, String condition, Map<String, Object> values) {
        String statement = "SELECT * FROM " + table + " WHERE " + condition + " FOR UPDATE SKIP LOCKED";
        var query = manager.createNativeQuery(statement, LockRecord.class);
        values.forEach(query::setParameter);
        List<?> rows = query.getResultList();
        return rows.stream().map(LockRecord.class::cast).toList();
    }
}
