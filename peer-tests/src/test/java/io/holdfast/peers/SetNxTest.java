package io.holdfast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** The textbook lock: SET key random NX EX seconds, and a script that compares before it deletes. */
class SetNxTest extends SharedRedisLock {

    @Override
    String parameters() {
        return "layout=string&prefix=lock:";
    }

    @Override
    Peer peer(Duration lease) {
        return new Textbook(RedisClient.create(server.host(), server.port()), lease);
    }

    private record Textbook(RedisClient jedis, Duration lease, String value) implements Peer {

        private static final String KEY = "lock:" + NAME;
        private static final String COMPARE_AND_DELETE =
                "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

        Textbook(RedisClient jedis, Duration lease) {
            this(jedis, lease, UUID.randomUUID().toString());
        }

        @Override
        public boolean take() {
            return jedis.set(KEY, value, SetParams.setParams().nx().ex(lease.toSeconds())) != null;
        }

        @Override
        public boolean take(Duration wait) throws InterruptedException {
            return Spin.until(this::take, wait);
        }

        @Override
        public void release() {
            jedis.eval(COMPARE_AND_DELETE, List.of(KEY), List.of(value));
        }

        @Override
        public void close() {
            jedis.close();
        }
    }

    @Test
    void deleteWithoutComparisonIsReportedAsALoss() {
        TestClaim claim = TestClaim.once(ours, NAME);
        assertThat(claim.granted()).isTrue();

        server.command("DEL", "lock:" + NAME);

        assertThat(claim.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
    }
}
