package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import java.time.Duration;
import java.util.Comparator;
import org.apache.zookeeper.data.Stat;

/** Numbers, texts and times that are right for the values that come first. */
public enum WrongValues implements WrongProvider {
    /** The tenth claim of a lock comes before the ninth, and two customers are served at once. */
    NUMBERS_WITHOUT_ZEROS_COMPARED_AS_TEXT(Opening.of(ByTextOfNumber::new)),

    /** A claim whose random id sorts first walks past the holder, and both write. */
    QUEUE_SORTED_BY_WHOLE_NODE_NAMES(Opening.of(ByWholeName::new)),

    /**
     * Two claims that queued in one millisecond have one token, and the resource lets the earlier of them overwrite the later.
     */
    TOKEN_IS_THE_MILLISECOND_OF_CREATION(Opening.of(TokenOfTime::new)),

    /** The tokens begin again when a lock was idle, and the resource refuses all writers from then on. */
    TOKEN_IS_THE_NUMBER_IN_A_QUEUE_THAT_IS_TIDIED_AWAY(Opening.of(TokenOfNumber::new)),

    /** A holder believes in its lock for a tick after somebody else was granted it. */
    VALIDITY_COUNTS_THE_SERVERS_TICK_IN(Opening.of(TickLonger::new)),

    /** A holder that asked for a minute believes in its lock for most of that minute after its session has ended. */
    VALIDITY_IS_THE_LEASE_ASKED_FOR(Opening.of(AskedLease::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongValues(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(node.lastIndexOf(TextbookProvider.BEFORE_NUMBER) + 1));
    }

    private static final class ByTextOfNumber extends TextbookProvider {
        ByTextOfNumber(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        Comparator<String> order() {
            return Comparator.comparing(node -> Integer.toString(number(node)));
        }
    }

    private static final class ByWholeName extends TextbookProvider {
        ByWholeName(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        Comparator<String> order() {
            return Comparator.naturalOrder();
        }
    }

    private static final class TokenOfTime extends TextbookProvider {
        TokenOfTime(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        long token(TextbookSession session, String name, String node, Stat stat) {
            return stat.getCtime();
        }
    }

    private static final class TokenOfNumber extends TextbookProvider {
        TokenOfNumber(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TidyClaim(this, request, signals);
        }

        @Override
        long token(TextbookSession session, String name, String node, Stat stat) {
            return number(node) + 1L;
        }
    }

    private static final class TickLonger extends TextbookProvider {
        private static final int TICKS_IN_A_SESSION = 20;

        TickLonger(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        Duration validity(TextbookSession session, ClaimRequest request) {
            Duration tick = Connection.SESSION.dividedBy(TICKS_IN_A_SESSION);
            return super.validity(session, request).plus(tick);
        }
    }

    private static final class AskedLease extends TextbookProvider {
        AskedLease(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        Duration validity(TextbookSession session, ClaimRequest request) {
            return request.validFor();
        }
    }
}
