package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.MasterFailures.NoMasterNamed;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.parts.Waits;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

class FailOverPatienceTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    private final AtomicInteger requests = new AtomicInteger();
    private final RedisFailures failures = RedisFailures.ofGiven("the test", 1, ClientUse.LOCKS);

    private static JedisException refused() {
        return new JedisConnectionException("refused by the test");
    }

    private LockStoreException failure(JedisException cause) {
        return failures.of("acquire of lock 'a'", cause);
    }

    private Supplier<Attempt> failing(int times, JedisException cause, Attempt then) {
        return () -> {
            if (requests.getAndIncrement() < times) {
                throw failure(cause);
            }
            return then;
        };
    }

    static Stream<JedisException> passing() {
        return Stream.of(
                refused(),
                new JedisConnectionException(new SocketTimeoutException("Read timed out")),
                new JedisException("Could not get a resource", new NoSuchElementException()),
                new JedisDataException("READONLY You can't write against a read only replica."),
                new JedisDataException(
                        "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -READONLY"
                                + " You can't write against a read only replica."),
                new JedisDataException("MASTERDOWN Link with MASTER is down"),
                new JedisDataException("LOADING Redis is loading the dataset in memory"),
                new JedisDataException("NOREPLICAS Not enough good replicas to write."),
                new JedisDataException("CLUSTERDOWN The cluster is down"),
                new JedisDataException("TRYAGAIN Multiple keys request during rehashing of slot"),
                new NoMasterNamed("none", List.of(new JedisDataException("NOAUTH"), refused())));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void waitingClaimIsRepeatedWhileTheFailureMayPass(JedisException cause) {
        assertThat(new FailOverPatience(LONG).attempt(Intent.WAIT, failing(2, cause, CONTENDED)))
                .isSameAs(CONTENDED);
        assertThat(requests).hasValue(3);
    }

    static Stream<JedisException> lasting() {
        return Stream.of(
                new JedisDataException("WRONGPASS invalid username-password pair"),
                new JedisDataException("HOLDFAST WRONGTYPE the key READONLY is no hash"),
                new JedisDataException("OOM command not allowed"),
                new JedisException("Unexpected"),
                new NoMasterNamed("none", List.of(new JedisDataException("NOAUTH"))));
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void otherFailuresAreThrownAtOnce(JedisException cause) {
        assertThatThrownBy(() -> new FailOverPatience(LONG).attempt(Intent.WAIT, failing(1, cause, CONTENDED)))
                .hasCause(cause);
        assertThat(requests).hasValue(1);
    }

    @Test
    void claimThatDoesNotWaitAttemptsOnce() {
        assertThatThrownBy(() -> new FailOverPatience(LONG).attempt(Intent.TRY_ONCE, failing(1, refused(), CONTENDED)))
                .hasCause(refused());
        assertThat(requests).hasValue(1);
    }

    @Test
    void failureIsThrownOnceTheLimitHasPassed() {
        Duration limit = Duration.ofMillis(300);
        long before = System.nanoTime();
        assertThatThrownBy(() -> new FailOverPatience(limit)
                        .attempt(Intent.WAIT, failing(Integer.MAX_VALUE, refused(), CONTENDED)))
                .hasCause(refused());
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(limit, LONG.dividedBy(4));
        assertThat(requests.get()).isBetween(2, 5);
    }

    @Test
    void grantCountsFromItsOwnRequest() {
        long before = System.nanoTime();
        Attempt.Granted granted = (Attempt.Granted) new FailOverPatience(LONG)
                .attempt(Intent.WAIT, failing(2, refused(), new Attempt.Granted(new FencingToken(7), LEASE)));
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(granted.validFor()).isBetween(LEASE.plusMillis(150), LEASE.plus(took));
    }

    @Test
    void endOfTheProviderEndsThePause() {
        FailOverPatience patience = new FailOverPatience(LONG);
        CompletableFuture<Throwable> attempt = CompletableFuture.supplyAsync(() ->
                catchThrowable(() -> patience.attempt(Intent.WAIT, failing(Integer.MAX_VALUE, refused(), CONTENDED))));
        Waits.soon().until(() -> requests.get() >= 2);
        patience.end();

        assertThat(attempt)
                .succeedsWithin(LONG.dividedBy(10))
                .satisfies(thrown -> assertThat(thrown).hasCause(refused()));
    }

    @Test
    void interruptIsKeptAndEndsNoPause() {
        Thread.currentThread().interrupt();

        assertThat(new FailOverPatience(LONG).attempt(Intent.WAIT, failing(2, refused(), CONTENDED)))
                .isSameAs(CONTENDED);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(requests).hasValue(3);
    }
}
