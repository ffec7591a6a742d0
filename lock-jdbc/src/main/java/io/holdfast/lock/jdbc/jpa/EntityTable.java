package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import jakarta.persistence.EntityManager;

/**
 * Checks that the entity is mapped to the table that the tokens are named after. Otherwise clients by JPA would draw
 * tokens from another source than clients by JDBC, and the tokens of one lock could decrease. Thread-safe.
 *
 * <p>The standard does not tell the name of an entity's table, and Hibernate's way is not a stable interface. So the
 * database is asked, once.
 */
final class EntityTable {

    private static final String FIND = "SELECT count(*) FROM {table} WHERE name_hash = :hash AND claim_id = :claim";

    private final LockTable table;
    private volatile boolean found;

    EntityTable(LockTable table) {
        this.table = table;
    }

    /** Whether a row that the entity wrote in this transaction is in the table. */
    boolean has(EntityManager manager, LockKey key, String claimId) {
        if (!found) {
            manager.flush();
            Object rows = manager.createNativeQuery(table.filledInto(FIND), Long.class)
                    .setParameter("hash", key.hash())
                    .setParameter("claim", claimId)
                    .getSingleResult();
            found = (Long) rows == 1;
        }
        return found;
    }

    /** The failure if it is not. */
    String mismatch() {
        return "the entity of the locks is mapped to another table than '" + table
                + "', which the tokens come from; allowed is that the option 'table' says what the orm.xml, the"
                + " hibernate.default_schema or the naming strategy makes of it";
    }
}
