package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import jakarta.persistence.EntityManager;

/**
 * The table that the entity is mapped to, which has to be the one that the tokens are named after: else clients by JPA would draw
 * tokens from another source than those by JDBC, and those of one lock would go down. Thread-safe.
 *
 * <p>The standard has no words for the name of an entity's table, and that of Hibernate is no stable interface. So the database
 * is asked, once.
 */
final class EntityTable {

    private static final String FIND = "SELECT count(*) FROM {table} WHERE name_hash = :hash AND claim_id = :claim";

    private final LockTable table;
    private volatile boolean found;

    EntityTable(LockTable table) {
        this.table = table;
    }

    /** Whether a row that the entity has written in this transaction is in the table. */
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

    /** What to do if it is not. */
    String mismatch() {
        return "the entity of the locks is mapped to another table than '" + table
                + "', which the tokens come from; allowed is that the option 'table' says what the orm.xml, the"
                + " hibernate.default_schema or the naming strategy makes of it";
    }
}
