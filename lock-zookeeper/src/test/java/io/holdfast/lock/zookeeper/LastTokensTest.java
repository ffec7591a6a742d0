package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import org.junit.jupiter.api.Test;

/** The largest tokens that there are. */
class LastTokensTest {

    private static final long LAST_TRANSACTION = Long.MAX_VALUE / TokenOffset.TOKENS;

    @Proves("6.8")
    @Test
    void allTokensOfTheLastTransactionAreNumbers() {
        long first = TokenOffset.token(LAST_TRANSACTION, 0).value();

        assertThat(first + TokenOffset.TOKENS - 1).isEqualTo(Long.MAX_VALUE);
    }

    @Proves("6.1")
    @Test
    void transactionOrOffsetThatIsTooLargeHasNoToken() {
        for (long[] tooLarge : new long[][] {{LAST_TRANSACTION + 1, 0}, {LAST_TRANSACTION, 1}, {1, Long.MAX_VALUE}}) {
            assertThatThrownBy(() -> TokenOffset.token(tooLarge[0], tooLarge[1]))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("the fencing tokens are used up", "transaction " + tooLarge[0]);
        }
    }

    /** The number of the leader is in the upper half of that of a transaction. */
    @Test
    void tokensLastForSixteenMillionLeadersInAnyRaisedStore() {
        long leaders = 1L << 24;

        assertThat(TokenOffset.token((leaders << 32) - 1, (1L << 62) - 1).value())
                .isPositive();
    }
}
