package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * How many replicas have to have a grant before the acquire returns, or counters that were raised, by <a
 * href="https://redis.io/docs/latest/commands/wait/">WAIT</a>.
 *
 * @param replicas how many; 0 asks for none
 * @param within how long to wait for them
 */
record Confirmation(int replicas, Duration within) {

    static final int MOST_REPLICAS = 100;
    static final Duration LEAST_WAIT = Duration.ofMillis(1);
    static final Duration MOST_WAIT = Duration.ofMinutes(10);
    static final Confirmation NONE = new Confirmation(0, Duration.ofSeconds(1));

    Confirmation {
        if (replicas < 0 || replicas > MOST_REPLICAS) {
            throw new LockConfigurationException(
                    "The number of replicas is " + replicas + "; allowed are 0 to " + MOST_REPLICAS);
        }
        if (within.compareTo(LEAST_WAIT) < 0 || within.compareTo(MOST_WAIT) > 0) {
            throw new LockConfigurationException("The time for replicas to confirm a grant is " + within
                    + "; allowed are " + LEAST_WAIT + " to " + MOST_WAIT);
        }
    }

    /** What was written. */
    enum Written {
        GRANT("it was granted", "the grant is taken back"),
        COUNTERS("the tokens were raised", "raise them again");

        private final String done;
        private final String remedy;

        Written(String done, String remedy) {
            this.done = done;
            this.remedy = remedy;
        }
    }

    boolean isNeeded() {
        return replicas > 0;
    }

    /**
     * Waits for the replicas.
     *
     * @param connection the one that it was written on: the server confirms the latest write of a connection
     * @param written what it was
     * @throws OwnReason if they have not confirmed it in time; a claim is to be released then
     */
    void await(Connection connection, Written written) {
        if (!isNeeded()) {
            return;
        }
        long confirmed = confirmed(connection, written);
        if (confirmed < replicas) {
            throw new OwnReason(written.done + ", but only " + confirmed + " of " + replicas
                    + " replicas have confirmed that within " + within.toMillis() + " ms; " + written.remedy);
        }
    }

    private long confirmed(Connection connection, Written written) {
        int usual = connection.getSoTimeout();
        // 0 is no limit.
        connection.setSoTimeout(usual == 0 ? 0 : Math.toIntExact(usual + within.toMillis()));
        try {
            connection.sendCommand(Command.WAIT, Integer.toString(replicas), Long.toString(within.toMillis()));
            return connection.getIntegerReply();
        } catch (JedisDataException refused) {
            // No refusal of the script, which has run.
            throw new OwnReason(written.done + ", but the server refused to say which replicas have it: "
                    + refused.getMessage() + "; " + written.remedy);
        } finally {
            connection.setSoTimeout(usual);
        }
    }
}
