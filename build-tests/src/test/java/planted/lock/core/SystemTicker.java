package planted.lock.core;

/** Obeys: the one place where the clock is read. */
record SystemTicker() {
    long read() {
        return System.nanoTime();
    }
}
