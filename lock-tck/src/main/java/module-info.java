/**
 * The technology compatibility kit: proves the rules of {@code SPEC.md} for a lock provider, alone and under the engine. The
 * engine is found at run time, as an application finds it.
 */
module io.holdfast.lock.tck {
    requires transitive io.holdfast.lock;
    requires transitive io.holdfast.lock.tck.faults;
    requires transitive org.junit.jupiter.api;
    requires java.logging;
    requires java.xml;
    requires static org.jspecify;
    requires static org.junit.platform.launcher;

    exports io.holdfast.lock.tck;

    // JUnit calls the rules, which are default methods of interfaces that are no business of the kit's users.
    opens io.holdfast.lock.tck to
            org.junit.platform.commons;
    opens io.holdfast.lock.tck.command to
            org.junit.platform.commons;
}
