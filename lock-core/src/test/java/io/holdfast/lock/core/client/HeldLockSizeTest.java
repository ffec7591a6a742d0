package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.LiveHeap;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a lock that is held costs its client, and in memory its store. */
@Isolated
class HeldLockSizeTest {

    private static final int LOCKS = 10_000;

    @Test
    void heldLockAndItsRecordCostFifteenHundredBytesAtMost() {
        try (LockClient client = LockClient.connect("memory:size")) {
            Iterator<String> names = IntStream.range(0, LOCKS)
                    .mapToObj(i -> "lock-" + i)
                    .toList()
                    .iterator();
            // What is made once, such as the threads, is there before the counting.
            IntStream.range(0, 1_000)
                    .forEach(i ->
                            client.lock("first" + i).tryAcquire().orElseThrow().close());

            assertThat(LiveHeap.bytesForEach(
                            LOCKS, () -> client.lock(names.next()).tryAcquire().orElseThrow()))
                    .isLessThan(1_480);
        }
    }
}
