package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.QuorumAttempt.Failed;
import io.holdfast.lock.redis.QuorumAttempt.Granted;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** An attempt that is made again after it was granted, on three nodes. */
class RepeatedGrantTest {

    private static final long TOKEN = 5;

    private final List<String> sent = new ArrayList<>();
    private final QuorumAttempt repetition = new QuorumAttempt(3, OptionalLong.of(TOKEN), new QuorumAttempt.Nodes() {
        @Override
        public void raise(int node, long token) {
            sent.add("raise " + node + " to " + token);
        }

        @Override
        public void undo(int node) {
            sent.add("undo " + node);
        }
    });

    @Test
    void recordThatACopyWroteDoesNotCountForTheEarlierToken() {
        repetition.granted(0, TOKEN, true);
        repetition.granted(1, 9, true);
        repetition.failed(2, new LockStoreException("no answer"));
        assertThat(repetition.outcome())
                .as("another claim may have had a token in between")
                .isNull();
        assertThat(sent).containsExactly("raise 0 to 9");

        repetition.raised(0, true);

        assertThat(repetition.outcome()).isEqualTo(new Granted(9));
    }

    @Test
    void failedRepetitionTakesNothingBack() {
        repetition.granted(0, TOKEN, true);
        repetition.failed(1, new LockStoreException("no answer"));
        repetition.failed(2, new LockStoreException("no answer"));
        repetition.granted(1, TOKEN, true);

        assertThat(repetition.outcome()).isInstanceOf(Failed.class);
        assertThat(sent).as("the holder counts on these nodes").isEmpty();
    }
}
