package io.holdfast.lock.core;

/** The clock of the JVM. It keeps running while the process is paused, so a paused holder finds its lease over. */
final class SystemTicker implements Ticker {

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
