package io.holdfast.wrong.text;

import io.holdfast.lock.tck.LockHarness;

/**
 * Where a backend with a wrong text runs. Each kind has one server, which starts when it is first needed and ends with the JVM.
 */
enum TextStore {
    /** Redis, layout {@code hash}. */
    HASH {
        @Override
        LockHarness harness(ChangedBackend backend, String separate) {
            return new RedisTextHarness(backend, "hash", separate);
        }
    },
    /** Redis, layout {@code string}. */
    STRING {
        @Override
        LockHarness harness(ChangedBackend backend, String separate) {
            return new RedisTextHarness(backend, "string", separate);
        }
    },
    /** PostgreSQL. */
    POSTGRESQL {
        @Override
        LockHarness harness(ChangedBackend backend, String separate) {
            return new SqlTextHarness(backend, SharedDatabase.POSTGRESQL, separate);
        }
    },
    /** H2 in the memory of this JVM. */
    H2 {
        @Override
        LockHarness harness(ChangedBackend backend, String separate) {
            return new SqlTextHarness(backend, SharedDatabase.H2, separate);
        }
    },
    /** MariaDB. */
    MARIADB {
        @Override
        LockHarness harness(ChangedBackend backend, String separate) {
            return new SqlTextHarness(backend, SharedDatabase.MARIADB, separate);
        }
    };

    /**
     * Makes a harness.
     *
     * @param backend the backend
     * @param separate what separates its locks from those of others: the prefix of the keys, or the name of the table
     * @return the harness
     */
    abstract LockHarness harness(ChangedBackend backend, String separate);
}
