package io.holdfast.lock.jdbc.jpa;

/** Lets the tests of the table sweep at once, and not by chance. */
public final class JpaSweeping {

    private JpaSweeping() {}

    public static int sweep(JpaLockProvider provider) {
        return provider.records().sweep();
    }
}
