package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.QuorumAttempt.Refusal;
import io.holdfast.lock.redis.QuorumOutcome.By;
import io.holdfast.lock.redis.QuorumOutcome.Contended;
import io.holdfast.lock.redis.QuorumOutcome.Failed;
import io.holdfast.lock.redis.QuorumOutcome.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What an attempt at three or five nodes decides, answer by answer. */
class QuorumAttemptTest {

    private final List<String> sent = new ArrayList<>();

    private QuorumAttempt attempt(int size) {
        return attempt(size, OptionalLong.empty());
    }

    private QuorumAttempt attempt(int size, OptionalLong earlierToken) {
        return new QuorumAttempt(size, earlierToken, new QuorumAttempt.Nodes() {
            @Override
            public void raise(int node, long token) {
                sent.add("raise " + node + " to " + token);
            }

            @Override
            public void undo(int node) {
                sent.add("undo " + node);
            }

            @Override
            public void askAgain(int node) {
                sent.add("ask " + node + " again");
            }
        });
    }

    private static Refusal by(String claim) {
        return new Refusal(claim, 700, false);
    }

    private static LockStoreException down() {
        return new LockStoreException("down");
    }

    @Test
    void majorityWithOneTokenIsAGrantAtOnce() {
        QuorumAttempt attempt = attempt(5);
        attempt.granted(4, 7, false);
        attempt.granted(0, 7, false);
        assertThat(attempt.outcome()).isNull();
        attempt.granted(2, 7, false);
        assertThat(attempt.outcome()).isEqualTo(new Granted(7));
        attempt.granted(1, 9, false);
        attempt.failed(3, down());
        assertThat(attempt.outcome()).isEqualTo(new Granted(7));
        assertThat(sent).isEmpty();
    }

    @Test
    void lowerTokensAreRaisedBeforeTheGrant() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 7, false);
        attempt.granted(1, 9, false);
        assertThat(attempt.outcome()).isNull();
        assertThat(sent).containsExactly("raise 0 to 9");
        attempt.raised(0, true);
        assertThat(attempt.outcome()).isEqualTo(new Granted(9));
    }

    @Test
    void answerAfterTheComparisonDoesNotCount() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 7, false);
        attempt.granted(1, 9, false);
        attempt.granted(2, 9, false);
        assertThat(attempt.outcome()).as("the token of node 2 was not compared").isNull();
        attempt.raised(0, false);
        assertThat(attempt.outcome()).isNull();
        assertThat(sent).containsExactly("raise 0 to 9", "undo 1", "undo 2");
        assertThat(attempt.hadMajority()).isTrue();
        attempt.undone();
        attempt.undone();
        assertThat(attempt.outcome()).isEqualTo(new Contended(Optional.empty(), By.SPLIT));
    }

    @Test
    void majorityOfOneHolderIsContentionUntilItsLeaseEnds() {
        QuorumAttempt attempt = attempt(5);
        attempt.refused(0, by("a"));
        attempt.refused(3, new Refusal("a", 900, false));
        assertThat(attempt.outcome()).isNull();
        attempt.refused(1, by("a"));
        assertThat(attempt.outcome())
                .as("held until the last node frees it")
                .isEqualTo(new Contended(Optional.of(Duration.ofMillis(900)), By.HOLDER));
        attempt.granted(2, 5, false);
        assertThat(sent).as("a grant that comes late").containsExactly("undo 2");
    }

    @Test
    void foreignHolderIsTold() {
        QuorumAttempt attempt = attempt(3);
        attempt.refused(0, new Refusal("x", -1, true));
        attempt.refused(1, new Refusal("x", -1, true));
        assertThat(attempt.outcome()).isEqualTo(new Contended(Optional.empty(), By.FOREIGN));
    }

    @Test
    void splitVoteIsUndoneFirst() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(1, 5, false);
        attempt.refused(0, by("a"));
        attempt.refused(2, by("b"));
        assertThat(attempt.outcome()).isNull();
        assertThat(sent).containsExactly("undo 1");
        assertThat(attempt.hadMajority()).isFalse();
        attempt.undone();
        assertThat(attempt.outcome()).isEqualTo(new Contended(Optional.empty(), By.SPLIT));
    }

    @Test
    void minorityThatIsDownChangesNothing() {
        QuorumAttempt attempt = attempt(5);
        attempt.failed(0, down());
        attempt.failed(1, down());
        attempt.granted(2, 5, false);
        attempt.granted(3, 5, false);
        attempt.granted(4, 5, false);
        assertThat(attempt.outcome()).isEqualTo(new Granted(5));
    }

    @Test
    void majorityThatIsDownIsAFailure() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 5, false);
        attempt.failed(1, down());
        attempt.failed(2, down());
        assertThat(sent).containsExactly("undo 0");
        attempt.undone();
        assertThat(attempt.outcome())
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.failures()).hasSize(2));
    }

    @Test
    void refusalOfAMinorityIsNoContentionWithoutTheAnswerOfAMajority() {
        QuorumAttempt attempt = attempt(3);
        attempt.refused(0, by("a"));
        attempt.failed(1, down());
        assertThat(attempt.outcome()).isNull();
        attempt.timedOut();
        assertThat(attempt.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void silentNodesFailTheAttemptWhenItsTimeIsOver() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 5, false);
        attempt.timedOut();
        assertThat(sent).containsExactly("undo 0");
        attempt.timedOut();
        assertThat(attempt.outcome()).isInstanceOf(Failed.class);
        attempt.granted(1, 5, false);
        assertThat(sent).containsExactly("undo 0", "undo 1");
    }

    @Test
    void tokenThatCannotBeRaisedFailsTheAttempt() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 7, false);
        attempt.granted(1, 9, false);
        attempt.failed(0, down());
        assertThat(sent).containsExactly("raise 0 to 9", "undo 1");
        attempt.undone();
        assertThat(attempt.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void claimThatEndedBeforeItsTokenWasRaisedIsContendedAlsoIfAnotherNodeHasNotAnswered() {
        QuorumAttempt attempt = attempt(5);
        attempt.granted(0, 7, false);
        attempt.granted(1, 8, false);
        attempt.granted(2, 9, false);
        attempt.raised(0, false);
        assertThat(sent).containsExactly("raise 0 to 9", "raise 1 to 9", "undo 1", "undo 2");
        attempt.undone();
        attempt.undone();
        assertThat(attempt.outcome()).isEqualTo(new Contended(Optional.empty(), By.SPLIT));
    }

    /** Nobody knows whether the raise was carried out: the claim has to be released until that is known. */
    @Test
    void raiseWithoutAnAnswerFailsTheAttempt() {
        QuorumAttempt attempt = attempt(3);
        attempt.granted(0, 7, false);
        attempt.granted(1, 9, false);
        attempt.timedOut();
        attempt.undone();
        attempt.undone();
        assertThat(attempt.outcome()).isInstanceOf(Failed.class);
    }

    @Test
    void nodeThatRefusedIsAskedAgainAfterTheGrant() {
        QuorumAttempt attempt = attempt(5);
        attempt.refused(0, by("last"));
        attempt.granted(1, 5, false);
        attempt.granted(2, 5, false);
        attempt.granted(3, 5, false);
        attempt.refused(4, by("last"));
        assertThat(attempt.outcome()).isEqualTo(new Granted(5));
        assertThat(sent).containsExactly("ask 0 again", "ask 4 again");
    }

    @Test
    void repeatedAttemptHasTheTokenOfTheFirst() {
        QuorumAttempt attempt = attempt(3, OptionalLong.of(7));
        attempt.granted(2, 9, false);
        attempt.granted(0, 7, true);
        assertThat(attempt.outcome())
                .as("a majority may still have the first grant")
                .isNull();
        attempt.granted(1, 7, true);
        assertThat(attempt.outcome()).isEqualTo(new Granted(7));
        assertThat(sent).isEmpty();
    }

    @Test
    void repeatedAttemptThatTheMajorityHasForgottenIsANewGrant() {
        QuorumAttempt attempt = attempt(3, OptionalLong.of(7));
        attempt.granted(0, 7, true);
        attempt.granted(1, 12, false);
        attempt.granted(2, 12, false);
        assertThat(attempt.outcome()).isEqualTo(new Granted(12));
        assertThat(sent).as("a majority has the token already").isEmpty();
    }

    @Test
    void recordThatACopyWroteDoesNotCountForTheEarlierToken() {
        QuorumAttempt repetition = attempt(3, OptionalLong.of(5));
        repetition.granted(0, 5, true);
        repetition.granted(1, 9, true);
        repetition.failed(2, down());
        assertThat(repetition.outcome())
                .as("another claim may have had a token in between")
                .isNull();
        assertThat(sent).containsExactly("raise 0 to 9");
        repetition.raised(0, true);
        assertThat(repetition.outcome()).isEqualTo(new Granted(9));
    }

    @Test
    void failedRepetitionTakesNothingBack() {
        QuorumAttempt repetition = attempt(3, OptionalLong.of(5));
        repetition.granted(0, 5, true);
        repetition.failed(1, down());
        repetition.failed(2, down());
        repetition.granted(1, 5, true);
        assertThat(repetition.outcome()).isInstanceOf(Failed.class);
        assertThat(sent).as("the holder counts on these nodes").isEmpty();
    }
}
