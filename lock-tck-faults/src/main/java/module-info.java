/** Faults for tests of lock providers, of the kit or without it. */
module io.holdfast.lock.tck.faults {
    requires transitive io.holdfast.lock;
    requires static org.jspecify;

    exports io.holdfast.lock.tck.faults;
}
