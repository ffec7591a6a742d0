package planted.lock.core.runtime;

/** Obeys: the one place where the clock is read. */
record SystemTicker() {
    long read() {
        return System.nanoTime();
    }
}
