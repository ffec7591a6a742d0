package io.holdfast.bench;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Looks whether a lock has one holder at a time, and whether its tokens grow. Thread-safe. */
final class Referee {

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

    void entered(OptionalLong token) {
        if (inside.incrementAndGet() != 1) {
            throw new IllegalStateException("two holders at once");
        }
        if (token.isPresent()) {
            long before = last.getAndSet(token.getAsLong());
            if (before >= token.getAsLong()) {
                throw new IllegalStateException("token " + token.getAsLong() + " came after " + before);
            }
        }
    }

    void leaves() {
        inside.decrementAndGet();
    }
}
