package io.holdfast.lock.core.runtime;

/**
 * The clock of the JVM. It keeps running while the process is paused, so a paused holder finds its lease over. On Linux it stands
 * still while the whole machine is suspended: {@code docs/safety.md} says what follows.
 */
final class SystemTicker implements Ticker {

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
