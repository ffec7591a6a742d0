package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of more threads than there are connections, which go together. */
class SharedConnectionTest extends RedisProxyScene {

    private static final int CALLS = 12;

    private RedisLockProvider provider(String query) {
        return RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?" + query);
    }

    /** A call on a new thread. */
    private static final class Task<T> extends FutureTask<T> {
        private final Thread thread = new Thread(this);

        private Task(Callable<T> call) {
            super(call);
            thread.start();
        }

        private T answer() throws Exception {
            return get(1, TimeUnit.MINUTES);
        }
    }

    /** A call that keeps the connection until the server goes on. */
    private Task<Boolean> occupy(RedisLockProvider provider) {
        server.pause();
        long before = proxy.bytes(Direction.REQUESTS);
        Task<Boolean> occupying = new Task<>(() -> provider.holder("lock-none").isPresent());
        soon().until(() -> proxy.bytes(Direction.REQUESTS) > before);
        return occupying;
    }

    private static <T> Task<T> waiting(Callable<T> call) {
        Task<T> task = new Task<>(call);
        soon().until(() -> task.thread.getState() == Thread.State.TIMED_WAITING);
        return task;
    }

    private static List<TestClaim> claims(RedisLockProvider provider) {
        return IntStream.range(0, CALLS)
                .mapToObj(i -> TestClaim.once(provider, "lock-" + i))
                .toList();
    }

    private static <T> List<T> answers(List<Task<T>> tasks) throws Exception {
        List<T> answers = new ArrayList<>();
        for (Task<T> each : tasks) {
            answers.add(each.answer());
        }
        return answers;
    }

    @ParameterizedTest
    @EnumSource
    void waitingCallsTakeOneRoundTripTogetherAndEachGetsItsOwnAnswer(Layout layout) throws Exception {
        try (RedisLockProvider provider = provider("poolSize=1&timeout=1m&poolWait=1m&layout=" + layout)) {
            assertWorks(provider);
            TestClaim holder = TestClaim.once(provider, "lock-3");
            assertThat(holder.granted()).isTrue();
            List<TestClaim> claims = claims(provider);
            Task<Boolean> occupying = occupy(provider);
            List<Task<Boolean>> attempts =
                    claims.stream().map(claim -> waiting(claim::granted)).toList();
            // A reply that comes while requests are still being sent would count as a further round trip.
            proxy.delay(Direction.REPLIES, Duration.ofMillis(700));
            long before = proxy.roundTrips();
            server.resume();

            assertThat(occupying.answer()).isFalse();
            List<Boolean> granted = answers(attempts);

            assertThat(granted.get(3)).isFalse();
            assertThat(granted).filteredOn(each -> each).hasSize(CALLS - 1);
            assertThat(proxy.roundTrips() - before).isEqualTo(1);
            assertThat(proxy.accepted()).isEqualTo(1);
            proxy.pass(Direction.REPLIES);
            assertThat(claims).filteredOn(TestClaim::held).hasSize(CALLS - 1);
            assertThat(claims).filteredOn(TestClaim::released).hasSize(CALLS - 1);
            assertThat(holder.held()).isTrue();
        }
    }

    /** The server runs no script for many then, and the calls are made one by one. */
    @ParameterizedTest
    @EnumSource
    void keyThatTheUserMayNotAccessFailsItsOwnCallAlone(Layout layout) throws Exception {
        server.command("ACL", "SETUSER", "some", "on", ">secret", "~holdfast:lock-*", "~holdfast:#*", "&*", "+@all");
        try (RedisLockProvider provider = RedisProviders.at("redis://some:secret@127.0.0.1:" + proxy.port()
                + "?poolSize=1&timeout=1m&poolWait=1m&layout=" + layout)) {
            assertThat(TestClaim.once(provider, "lock-x").granted()).isTrue();
            List<TestClaim> claims = claims(provider);
            Task<Boolean> occupying = occupy(provider);
            Task<Boolean> forbidden = waiting(TestClaim.once(provider, "secret")::granted);
            List<Task<Boolean>> attempts =
                    claims.stream().map(claim -> waiting(claim::granted)).toList();
            server.resume();

            assertThat(occupying.answer()).isFalse();
            assertThat(answers(attempts)).containsOnly(true);
            assertThatThrownBy(forbidden::answer).hasMessageContaining("NOPERM");
            assertThat(claims).allMatch(TestClaim::released);
        }
    }

    /** After a fail-over behind one address: the idle connections lead to the old master as well. */
    @ParameterizedTest
    @EnumSource
    void connectionToAMasterThatBecameAReplicaIsDroppedByCallsThatWentTogether(Layout layout) throws Exception {
        try (RedisLockProvider provider = provider("poolSize=1&timeout=1m&poolWait=1m&layout=" + layout)) {
            assertWorks(provider);
            List<TestClaim> held = claims(provider);
            assertThat(held).allMatch(TestClaim::granted);
            server.command("REPLICAOF", "127.0.0.1", "1");
            long before = proxy.accepted();

            assertReadOnly(provider, held.stream().map(claim -> claim::released));
            long between = proxy.accepted();
            assertReadOnly(
                    provider,
                    IntStream.range(0, CALLS)
                            .mapToObj(i -> TestClaim.once(provider, "free-" + i))
                            .map(claim -> claim::granted));

            assertThat(between).isGreaterThan(before);
            assertThat(proxy.accepted()).isGreaterThan(between);
            server.command("REPLICAOF", "NO", "ONE");
            assertThat(held).allMatch(TestClaim::released);
        }
    }

    private void assertReadOnly(RedisLockProvider provider, Stream<Callable<Boolean>> calls) throws Exception {
        Task<Boolean> occupying = occupy(provider);
        List<Task<Boolean>> waiting = calls.map(SharedConnectionTest::waiting).toList();
        server.resume();

        assertThat(occupying.answer()).isFalse();
        for (Task<Boolean> each : waiting) {
            assertThatThrownBy(each::answer).hasMessageContaining("READONLY");
        }
    }

    @Test
    void callsThatWereCutTogetherAreRepeatedTogether() throws Exception {
        try (RedisLockProvider provider = provider("poolSize=1&timeout=1m&poolWait=1m")) {
            assertWorks(provider);
            List<TestClaim> claims = claims(provider);
            Task<Boolean> occupying = occupy(provider);
            List<Task<Long>> attempts =
                    claims.stream().map(claim -> waiting(claim::token)).toList();
            proxy.delay(Direction.REPLIES, Duration.ofSeconds(1));
            server.resume();
            // All are executed, and the replies are on their way.
            soon().until(() -> (Long) server.command("EXISTS", "holdfast:lock-" + (CALLS - 1)) == 1);
            assertThat(occupying.answer()).isFalse();
            proxy.reset();
            proxy.pass(Direction.REPLIES);

            List<Long> tokens = answers(attempts);

            assertThat(tokens).doesNotHaveDuplicates();
            for (int i = 0; i < CALLS; i++) {
                assertThat(provider.holder("lock-" + i).orElseThrow().fencingToken())
                        .hasValueSatisfying(token -> assertThat(tokens).contains(token.value()));
            }
            assertThat(claims).allMatch(TestClaim::released);
        }
    }

    @Test
    void replyToACallThatTimedOutReachesNoOther() throws Exception {
        try (RedisLockProvider provider = provider("poolSize=1&timeout=1s&poolWait=20s");
                RedisLockProvider holding = RedisProviders.on(server, "")) {
            assertWorks(provider);
            assertThat(TestClaim.once(holding, "held").granted()).isTrue();
            proxy.hold(Direction.REPLIES);
            TestClaim late = TestClaim.once(provider, "free");
            Task<Boolean> timingOut = new Task<>(late::granted);
            soon().until(() -> (Long) server.command("EXISTS", "holdfast:free") == 1);
            List<Task<Boolean>> others = IntStream.range(0, CALLS)
                    .mapToObj(i -> waiting(() -> refusedInTheEnd(provider)))
                    .toList();

            assertThatThrownBy(timingOut::answer)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LockStoreException.class)
                    .hasMessageContaining("timed out");
            proxy.pass(Direction.REPLIES);

            // Any of them would be granted the lock by the reply to the late call.
            assertThat(answers(others)).containsOnly(true);
            assertThat(late.released()).isTrue();
        }
    }

    /** Those that were sent before the replies passed time out, too. */
    private static boolean refusedInTheEnd(RedisLockProvider provider) {
        while (true) {
            try {
                return !TestClaim.once(provider, "held").granted();
            } catch (LockStoreException timedOut) {
                assertThat(timedOut).hasMessageContaining("timed out");
            }
        }
    }

    @Test
    void callsAndRenewalsGoOnBesideOneThatStalls() throws Exception {
        try (RedisLockProvider provider = provider("poolSize=3&timeout=1m")) {
            assertWorks(provider);
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            Task<Boolean> stalled = stalled(provider);

            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(TestClaim.once(provider, "b").granted()).isTrue();
            assertThat(stalled).isNotDone();

            proxy.unstall();
            assertThat(stalled.answer()).isTrue();
        }
    }

    /** A call whose connection hangs. */
    private Task<Boolean> stalled(RedisLockProvider provider) {
        long before = proxy.bytes(Direction.REQUESTS);
        proxy.stallNext();
        Task<Boolean> stalled = new Task<>(() -> provider.holder("a").isPresent());
        soon().until(() -> proxy.bytes(Direction.REQUESTS) > before);
        return stalled;
    }

    @Test
    void connectionIsLeftToRenewalsWhileAllCallsStall() throws Exception {
        try (RedisLockProvider provider = provider("poolSize=2&timeout=1m&poolWait=1m")) {
            assertWorks(provider);
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            Task<Boolean> stalled = stalled(provider);
            List<Task<Boolean>> others = IntStream.range(0, CALLS)
                    .mapToObj(i -> waiting(() -> provider.holder("a").isPresent()))
                    .toList();

            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);

            assertThat(others).noneMatch(FutureTask::isDone);
            proxy.unstall();
            assertThat(stalled.answer()).isTrue();
            assertThat(answers(others)).containsOnly(true);
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    @Test
    void threadsWithALockEachUseNoMoreConnectionsThanThePoolHas() throws Exception {
        try (RedisLockProvider provider = provider("poolSize=3&timeout=1m&poolWait=1m")) {
            List<Task<Boolean>> threads = IntStream.range(0, 64)
                    .mapToObj(i -> new Task<>(() -> cyclesAreRight(provider, "lock-" + i)))
                    .toList();

            assertThat(answers(threads)).containsOnly(true);
            // One of the three is left to renewals.
            assertThat(proxy.accepted()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void withoutPoolSizeCallsHaveAConnectionForEachProcessor() throws Exception {
        int connections = Math.min(7, Runtime.getRuntime().availableProcessors());
        try (RedisLockProvider provider = provider("timeout=1m&poolWait=1m")) {
            assertWorks(provider);
            server.pause();
            List<Task<Boolean>> calls = new ArrayList<>();
            for (int i = 1; i <= connections; i++) {
                int next = i;
                calls.add(new Task<>(() -> provider.holder("a").isPresent()));
                soon().until(() -> proxy.accepted() == next);
            }
            calls.add(waiting(() -> provider.holder("a").isPresent()));

            server.resume();
            assertThat(answers(calls)).containsOnly(false);
            assertThat(proxy.accepted()).isEqualTo(connections);
        }
    }

    private static boolean cyclesAreRight(RedisLockProvider provider, String name) {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            TestClaim claim = TestClaim.once(provider, name);
            long token = claim.token();
            boolean excluded = !TestClaim.once(provider, name).granted();
            if (token <= last || !excluded || !claim.released()) {
                return false;
            }
            last = token;
        }
        return true;
    }
}
