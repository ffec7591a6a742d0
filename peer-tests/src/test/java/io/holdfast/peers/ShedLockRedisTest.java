package io.holdfast.peers;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock's keys in Redis. */
class ShedLockRedisTest extends SharedRedisLock {

    @Override
    String parameters() {
        return "layout=string&prefix=job-lock:prod:";
    }

    @Override
    Peer peer(Duration lease) {
        return new Task(lease, true);
    }

    private final class Task implements Peer {

        private final LettuceConnectionFactory connections = new LettuceConnectionFactory(server.host(), server.port());
        private final RedisLockProvider provider;
        private final Duration lease;
        private Optional<SimpleLock> lock = Optional.empty();

        Task(Duration lease, boolean compares) {
            this.lease = lease;
            connections.afterPropertiesSet();
            connections.start();
            provider = new RedisLockProvider.Builder(connections)
                    .environment("prod")
                    .safeUpdate(compares)
                    .build();
        }

        @Override
        public boolean take() {
            lock = provider.lock(new LockConfiguration(Instant.now(), NAME, lease, Duration.ZERO));
            return lock.isPresent();
        }

        @Override
        public boolean take(Duration wait) throws InterruptedException {
            return Spin.until(this::take, wait);
        }

        @Override
        public void release() {
            lock.orElseThrow().unlock();
        }

        @Override
        public void close() {
            connections.destroy();
        }
    }

    /** Why the move begins with {@code safeUpdate(true)}: without it their late release frees our lock, and we hear of it. */
    @Test
    void lateReleaseWithoutSafeUpdateTakesOurLockAwayAndIsReported() {
        try (Peer theirs = new Task(SHORT, false)) {
            assertThat(theirs.take()).isTrue();
            TestClaim claim = TestClaim.once(ours, NAME);
            soon().until(claim::granted);

            theirs.release();

            assertThat(claim.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        }
    }
}
