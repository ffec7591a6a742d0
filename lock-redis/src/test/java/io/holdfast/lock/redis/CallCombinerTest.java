package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.redis.RedisFailures.BrokenInUse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisException;

/** Which calls go together, without a server: a connection here answers each call with its key. */
class CallCombinerTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Script SCRIPT = LockScripts.RAISE;
    private static final PassedTime SENT = new PassedTime();

    /** The keys of the calls that went together, in the order of the round trips. */
    private final Queue<List<String>> roundTrips = new ConcurrentLinkedQueue<>();

    private final Set<Task> tasks = ConcurrentHashMap.newKeySet();
    private final CountDownLatch answering = new CountDownLatch(1);
    private CallCombiner combiner = combiner(1, LONG);

    private CallCombiner combiner(int connections, Duration longestWait) {
        return new CallCombiner(new ConnectionSharing(connections, longestWait), this::exchange);
    }

    /** The first round trip takes until the connection is told to answer. */
    private void exchange(Supplier<List<PendingCall<?>>> taking) {
        List<PendingCall<?>> together = taking.get();
        roundTrips.add(together.stream().map(each -> key(each.call())).toList());
        await(answering);
        together.forEach(CallCombinerTest::answer);
    }

    private static void answer(PendingCall<?> call) {
        assertThat(call.read(new ServerReply(key(call.call()), "a server", SENT)))
                .isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static String key(ScriptCall call) {
        return new String(call.keys().get(0), StandardCharsets.UTF_8);
    }

    private static PendingCall<Object> pending(String key, int bytes) {
        return new PendingCall<>(
                new ScriptCall("test", key, SCRIPT, List.of(ScriptCall.bytes(key)), List.of(new byte[bytes])),
                () -> {},
                reply -> String.valueOf(reply.value()));
    }

    /** A call on a new thread. */
    private static final class Task extends FutureTask<Object> {
        private final Thread thread = new Thread(this);
        private volatile boolean interruptedAfterwards;

        private Task(Callable<Object> call) {
            super(call);
            thread.start();
        }

        private Object answer() throws Exception {
            return get(1, TimeUnit.MINUTES);
        }
    }

    private Task call(String key, int bytes) {
        Task[] self = new Task[1];
        CountDownLatch known = new CountDownLatch(1);
        self[0] = new Task(() -> {
            // Without a limit: a thread that waits with one is taken for a call in the queue.
            known.await();
            try {
                return combiner.run(pending(key, bytes));
            } finally {
                self[0].interruptedAfterwards = Thread.interrupted();
            }
        });
        known.countDown();
        tasks.add(self[0]);
        return self[0];
    }

    /** A call that has the connection. */
    private Task occupy() {
        Task first = call("first", 0);
        soon().until(() -> !roundTrips.isEmpty());
        return first;
    }

    private Task waiting(String key, int bytes) {
        Task task = call(key, bytes);
        soon().until(() -> task.thread.getState() == Thread.State.TIMED_WAITING);
        return task;
    }

    private List<Task> waiting(int calls, int bytes) {
        return IntStream.range(0, calls)
                .mapToObj(i -> waiting("call " + i, bytes))
                .toList();
    }

    private static List<String> keys(int calls) {
        return IntStream.range(0, calls).mapToObj(i -> "call " + i).toList();
    }

    /**
     * Both connections mostly become free before the first of those that wait runs: without the second wake-up the rounds fail
     * within ten.
     */
    @RepeatedTest(50)
    void aCallThatWaitsGetsTheSecondOfTwoConnectionsThatBecameFreeTogether() throws Exception {
        CountDownLatch unstalled = new CountDownLatch(1);
        combiner = new CallCombiner(new ConnectionSharing(2, LONG), taking -> {
            List<PendingCall<?>> together = taking.get();
            String key = key(together.get(0).call());
            roundTrips.add(List.of(key));
            await(key.equals("stalls") ? unstalled : answering);
            together.forEach(CallCombinerTest::answer);
        });
        List<Task> holding = List.of(call("first", 0), call("second", 0));
        soon().until(() -> roundTrips.size() == 2);
        Task stalled = waiting("stalls", CallCombiner.ENOUGH_TOGETHER);
        Task next = waiting("next", 0);

        answering.countDown();

        try {
            assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo("next");
        } finally {
            unstalled.countDown();
        }
        assertThat(stalled.answer()).isEqualTo("stalls");
        assertThat(holding).allSatisfy(each -> assertThat(each.answer()).isNotNull());
    }

    @Test
    void callsThatFindNoConnectionGoTogetherOverTheNextOne() throws Exception {
        Task first = occupy();
        List<Task> others = waiting(10, 0);

        answering.countDown();

        assertThat(first.answer()).isEqualTo("first");
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).answer()).isEqualTo("call " + i);
        }
        assertThat(roundTrips).containsExactly(List.of("first"), keys(10));
    }

    @Test
    void callThatFindsAConnectionGoesAtOnce() throws Exception {
        combiner = combiner(2, LONG);
        Task first = occupy();

        Task second = call("second", 0);

        soon().until(() -> roundTrips.size() == 2);
        answering.countDown();
        assertThat(first.answer()).isEqualTo("first");
        assertThat(second.answer()).isEqualTo("second");
    }

    @Test
    void noMoreIsSentTogetherThanASendBufferTakes() throws Exception {
        Task first = occupy();
        List<Task> others = waiting(6, CallCombiner.ENOUGH_TOGETHER / 3);

        answering.countDown();

        assertThat(first.answer()).isEqualTo("first");
        for (Task each : others) {
            assertThat(each.answer()).isNotNull();
        }
        List<List<String>> sent = List.copyOf(roundTrips);
        assertThat(sent.stream().skip(1).map(List::size)).containsExactly(3, 3);
        assertThat(sent.stream().skip(1).flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(keys(6));
    }

    @Test
    void callThatHasWaitedInFullFailsAndIsNotSent() throws Exception {
        combiner = combiner(1, Duration.ofMillis(50));
        Task first = occupy();

        assertThatThrownBy(() -> combiner.run(pending("second", 0)))
                .isInstanceOf(JedisException.class)
                .hasCauseInstanceOf(NoSuchElementException.class);

        answering.countDown();
        assertThat(first.answer()).isEqualTo("first");
        assertThat(combiner.run(pending("third", 0))).isEqualTo("third");
        assertThat(roundTrips).containsExactly(List.of("first"), List.of("third"));
    }

    @Test
    void interruptEndsNoWaitAndIsKept() throws Exception {
        Task first = occupy();
        Task second = waiting("second", 0);
        for (int round = 0; round < 2; round++) {
            second.thread.interrupt();
            soon().until(() -> !second.thread.isInterrupted());
            soon().until(() -> second.thread.getState() == Thread.State.TIMED_WAITING);
        }

        answering.countDown();

        assertThat(first.answer()).isEqualTo("first");
        assertThat(second.answer()).isEqualTo("second");
        assertThat(second.interruptedAfterwards).isTrue();
    }

    @Test
    void failureIsToldToAllThatHaveNoReply() {
        JedisException lost = new JedisException("lost");
        assertThat(failuresOf(lost)).allMatch(lost::equals);
    }

    @Test
    void callsThatWereSentWithOneThatBreaksOffHaveLostTheirConnection() {
        OutOfMemoryError error = new OutOfMemoryError("thrown by the test");
        List<Throwable> failures = failuresOf(error);
        assertThat(failures).filteredOn(error::equals).hasSize(1);
        assertThat(failures).filteredOn(BrokenInUse.class::isInstance).hasSize(2);
    }

    /** What three calls throw if their connection fails after another one's reply. */
    private List<Throwable> failuresOf(Throwable failure) {
        List<PendingCall<?>> answered = new ArrayList<>();
        combiner = new CallCombiner(new ConnectionSharing(1, LONG), taking -> {
            await(answering);
            List<PendingCall<?>> together = taking.get();
            if (together.size() == 1) {
                answer(together.get(0));
                return;
            }
            answered.add(together.get(together.size() - 1));
            answer(together.get(together.size() - 1));
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        });
        waiting(1, 0);
        List<Task> others = waiting(3, 0);
        answering.countDown();
        List<Throwable> failures = new ArrayList<>();
        for (Task each : tasks) {
            try {
                assertThat(each.answer()).isNotNull();
            } catch (Exception failed) {
                failures.add(failed.getCause());
            }
        }
        assertThat(others).hasSize(3);
        assertThat(answered).hasSize(1);
        return failures;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyCallOfManyThreadsGetsItsOwnAnswerOrFails(int connections) throws Exception {
        AtomicInteger inUse = new AtomicInteger();
        AtomicInteger mostInUse = new AtomicInteger();
        Set<PendingCall<?>> sent = ConcurrentHashMap.newKeySet();
        AtomicInteger sentTwice = new AtomicInteger();
        combiner = new CallCombiner(new ConnectionSharing(connections, Duration.ofMillis(1)), taking -> {
            mostInUse.accumulateAndGet(inUse.incrementAndGet(), Math::max);
            try {
                List<PendingCall<?>> together = taking.get();
                for (PendingCall<?> each : together) {
                    sentTwice.addAndGet(sent.add(each) ? 0 : 1);
                    if (key(each.call()).endsWith("77")) {
                        throw new JedisException("lost");
                    }
                    answer(each);
                }
            } finally {
                inUse.decrementAndGet();
            }
        });
        List<Task> threads = IntStream.range(0, 12)
                .mapToObj(thread -> new Task(() -> wrongAnswers(thread)))
                .toList();
        for (Task each : threads) {
            assertThat(each.answer()).isEqualTo(0);
        }
        assertThat(mostInUse.get()).isLessThanOrEqualTo(connections);
        assertThat(sentTwice).hasValue(0);
        assertThat(combiner.run(pending("last", 0))).isEqualTo("last");
    }

    private int wrongAnswers(int thread) {
        Random random = new Random(thread);
        int wrong = 0;
        for (int i = 0; i < 3_000; i++) {
            String key = thread + "-" + i;
            if (random.nextInt(20) == 0) {
                Thread.currentThread().interrupt();
            }
            try {
                wrong += combiner.run(pending(key, random.nextInt(1_000))).equals(key) ? 0 : 1;
            } catch (JedisException failure) {
                boolean isExpected =
                        "lost".equals(failure.getMessage()) || failure.getCause() instanceof NoSuchElementException;
                wrong += isExpected ? 0 : 1;
            }
        }
        boolean unused = Thread.interrupted();
        return wrong;
    }
}
