package io.holdfast.lock.redis;

/** Remembers interrupts of a wait that they must not end, and interrupts the thread again when it is closed. */
final class KeptInterrupt implements AutoCloseable {

    private boolean interrupted;

    /** An interrupt was caught. */
    void keep() {
        interrupted = true;
    }

    /** Takes an interrupt off the thread before calls that would lose it. */
    void take() {
        if (Thread.interrupted()) {
            keep();
        }
    }

    @Override
    public void close() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
