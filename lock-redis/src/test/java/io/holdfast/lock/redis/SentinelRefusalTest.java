package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Sentinels that are away, refuse, or name no master or the wrong one. */
@Execution(ExecutionMode.CONCURRENT)
class SentinelRefusalTest extends SentinelScene {

    private static final String OF_SERVERS = "sEcr3t-of-the-servers";
    private static final String OF_SENTINELS = "sEcr3t-of-the-sentinels";
    private static final String WRONG = "sEcr3t-0f-another";

    @Test
    void unknownNameOfTheMasterIsNamedAtOnce() {
        RedisServer first = sentinels.sentinels().get(0);
        try (LockClient client = LockClient.connect(uri(sentinels.addresses(), "another", ""))) {
            assertFails(
                    () -> client.lock("a").acquire(),
                    "Redis at " + sentinels.addresses() + "/another: acquire of lock 'a' failed",
                    "no sentinel names the master 'another'",
                    "127.0.0.1:" + first.port() + " knows no master of this name");
        }
    }

    @Test
    void absentSentinelsAreNamedAndLeaveNoThreadAndAreAskedAgain() {
        sentinels.sentinels().forEach(RedisServer::kill);
        try (RedisLockProvider provider = provider("")) {
            assertFails(
                    TestClaim.once(provider, "a")::granted,
                    sentinels.addresses() + "/mymaster",
                    "no sentinel names the master 'mymaster'",
                    "127.0.0.1:" + sentinels.sentinels().get(2).port() + ": cannot connect");
            assertThat(listeners()).isEmpty();

            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(
                    () -> TestClaim.waiting(provider, "a").granted());
            sentinels.sentinels().get(1).restart();
            assertThat(waiting).succeedsWithin(BOUND).isEqualTo(true);
            assertWorks(provider);
        }
        assertThat(listeners()).isEmpty();
    }

    @Test
    void serverThatIsNoSentinelIsNamed() {
        RedisServer master = sentinels.master();
        String address = "127.0.0.1:" + master.port();
        try (RedisLockProvider provider = RedisProviders.at(uri(address, RedisSentinels.MASTER, ""))) {
            assertFails(TestClaim.once(provider, "a")::granted, address + ": the server answered ERR", "SENTINEL");
        }
    }

    @Test
    void callersOfSentinelsThatHangFailTogether() {
        sentinels.sentinels().forEach(RedisServer::pause);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (RedisLockProvider provider = provider("timeout=400ms&poolSize=16")) {
            long before = System.nanoTime();
            List<CompletableFuture<Throwable>> failures = Stream.generate(() ->
                            CompletableFuture.supplyAsync(() -> catchThrowable(() -> provider.holder("a")), threads))
                    .limit(8)
                    .toList();

            assertThat(failures).allSatisfy(each -> assertThat(each.join()).hasMessageContaining("timed out"));
            // One after the other they would take more than nine seconds.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(6));
        } finally {
            threads.shutdownNow();
            sentinels.sentinels().forEach(RedisServer::resume);
        }
    }

    @Test
    void closeEndsListenersThatSleepOrConnect() {
        RedisLockProvider provider = provider("timeout=1s");
        assertWorks(provider);
        RedisServer sleepsAfter = sentinels.sentinels().get(0);
        RedisServer hangs = sentinels.sentinels().get(1);
        assertThat(listeners()).hasSize(3);
        sleepsAfter.kill();
        soon().until(() -> listeners().stream().anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        hangs.pause();

        provider.close();

        assertThat(listeners()).isEmpty();
        hangs.resume();
        sentinels.sentinels().stream()
                .skip(1)
                .forEach(sentinel -> soon().until(() -> connections(sentinel).isEmpty()));
    }

    @Test
    void closeRightAfterTheFirstUseEndsAllListeners() {
        for (int i = 0; i < 20; i++) {
            try (RedisLockProvider provider = provider("")) {
                assertThat(provider.holder("a")).isEmpty();
                // As in an application that is being stopped.
                Thread.currentThread().interrupt();
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(listeners()).isEmpty();
        }
    }

    @ResourceLock("the log")
    @Test
    void passwordsAreThoseOfServersAndSentinelsAndStandInNoMessage() {
        try (WholeLog log = WholeLog.begin();
                RedisSentinels guarded = RedisSentinels.startWithPasswords(OF_SERVERS, OF_SENTINELS)) {
            String at = guarded.addresses() + "/mymaster?sentinelPassword=";
            try (LockClient none = LockClient.connect("redis-sentinel://" + guarded.addresses() + "/mymaster")) {
                assertFails(() -> none.lock("a").acquire(), "NOAUTH", "'sentinelPassword'");
            }
            try (LockClient wrong = LockClient.connect("redis-sentinel://:" + OF_SERVERS + "@" + at + WRONG)) {
                Throwable refused = catchThrowable(() -> wrong.lock("a").acquire());
                log.add(refused);
                assertThat(refused)
                        .hasMessageContaining("no sentinel names the master 'mymaster'")
                        .hasMessageContaining(": the server answered WRONGPASS");
            }
            try (LockClient wrong = LockClient.connect("redis-sentinel://:" + WRONG + "@" + at + OF_SENTINELS)) {
                Throwable refused = catchThrowable(() -> wrong.lock("a").acquire());
                log.add(refused);
                assertThat(refused)
                        .hasMessageContaining("Redis at " + guarded.addresses() + "/mymaster")
                        .hasMessageContaining("WRONGPASS");
            }
            try (RedisLockProvider right =
                    RedisProviders.at("redis-sentinel://:" + OF_SERVERS + "@" + at + OF_SENTINELS)) {
                assertWorks(right);
            }
            assertThat(log.text()).contains("WRONGPASS").doesNotContain(OF_SERVERS, OF_SENTINELS, WRONG);
        }
    }

    @Test
    void userOfThePageIsEnoughForTheSentinels() throws IOException {
        Matcher rule = Pattern.compile("(?m)^ACL SETUSER watcher on >other (.*)$")
                .matcher(Files.readString(Path.of("..", "docs", "backends", "redis.md")));
        assertThat(rule.find()).isTrue();
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "watcher", "on", ">other"));
        words.addAll(List.of(rule.group(1).split(" ", -1)));
        sentinels.sentinels().forEach(sentinel -> sentinel.command(words.toArray(String[]::new)));
        try (RedisLockProvider provider = provider("timeout=5s&sentinelUser=watcher&sentinelPassword=other")) {
            assertWorks(provider);
            sentinels.sentinels().forEach(sentinel -> soon().until(() -> listens(sentinel)));
        }
    }

    private static boolean listens(RedisServer sentinel) {
        return sentinel.command("CLIENT", "LIST")
                .toString()
                .lines()
                .anyMatch(line -> line.contains("name=holdfast") && line.contains(" sub=1 "));
    }
}
