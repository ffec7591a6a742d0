package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.LiveHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a lock that is held costs its client, and in memory its store. */
@Isolated
class HeldLockSizeTest {

    @Test
    void heldLockAndItsRecordCostLittleMoreThanAThousandBytes() {
        try (LockClient client = LockClient.connect("memory:size")) {
            assertThat(LiveHeap.bytesForEachLockOf(client)).isLessThan(1_150);
        }
    }
}
