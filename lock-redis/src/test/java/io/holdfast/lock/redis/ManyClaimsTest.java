package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.ClaimCalls.Place;
import io.holdfast.lock.redis.LockScripts.Grant;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.exceptions.JedisDataException;

/** Scripts that are called for many claims at once: each gets the answer, and the record, that it would have had alone. */
class ManyClaimsTest extends RedisServerScene {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String OWNER = "workflow-17";

    private final List<String> names = List.of(
            "free", "held", "mine", "repeated", "list", "damaged", "another", "passed", "waited", "heard", "free");

    /** The claim that asks for a lock, or gives it back. */
    private static ClaimCalls claim(RedisLockProvider provider, String name, String id) {
        String owner = name.equals("mine") ? OWNER : id;
        return new ClaimCalls(
                provider.scripts(),
                provider.keys(),
                new ClaimRequest(name, id, owner, TestClaim.LEASE, Intent.WAIT, TestClaim.CLAIMANT),
                id);
    }

    private static ScriptCall acquire(RedisLockProvider provider, String name, String id) {
        return claim(provider, name, id).acquire(16, Optional.of(new Place(1, "holdfast:#granted:client")));
    }

    /** Makes locks of all kinds. Returns a claim of the other provider that waits for one of them. */
    private TestClaim prepare(RedisLockProvider provider, RedisLockProvider other, String ours) {
        server.command("FLUSHALL");
        for (String name : List.of("held", "passed", "waited", "heard")) {
            run(provider, acquire(provider, name, ours + name));
        }
        run(provider, claim(provider, "repeated", ours + 3).acquire(1, Optional.empty()));
        assertThat(TestClaim.owned(other, "mine", OWNER, LONG).granted()).isTrue();
        assertThat(TestClaim.once(other, "damaged").granted()).isTrue();
        server.command("LPUSH", "holdfast:list", "x");
        if (provider.scripts().way() == LockScripts.Way.LINE) {
            server.command("HSET", "holdfast:damaged", "token", "x");
            // A place of a client that does not listen.
            run(provider, acquire(provider, "waited", "unheard"));
            run(provider, acquire(provider, "passed", "unheard"));
            server.command("DEL", "holdfast:passed");
        }
        TestClaim heard = TestClaim.waiting(other, "heard");
        assertThat(heard.granted()).isFalse();
        soon().until(heard::isHeard);
        return heard;
    }

    private static Object run(RedisLockProvider provider, ScriptCall call) {
        try {
            return Objects.requireNonNull(provider.runner().run(call, ServerReply::value));
        } catch (LockStoreException refused) {
            return Objects.requireNonNull(refused.getCause());
        }
    }

    private static List<Object> alone(RedisLockProvider provider, List<ScriptCall> calls) {
        return calls.stream().map(call -> run(provider, call)).toList();
    }

    private static List<?> together(RedisLockProvider provider, List<ScriptCall> calls) {
        return (List<?>) run(provider, ScriptCall.together(calls));
    }

    /** An answer without what differs from time to time. */
    private static String shown(Object answer) {
        if (answer instanceof JedisDataException refused) {
            return refused.getMessage()
                    .replaceAll(".*(HOLDFAST|WRONGTYPE)", "$1")
                    .replaceAll(" script: .*", "");
        } else if (answer instanceof List<?> refusal) {
            long seconds = Math.round((Long) refusal.get(0) / 5_000.0) * 5;
            return "refused for " + seconds + " s, " + refusal.get(1);
        }
        return LockScripts.grant(answer)
                .map(grant -> "granted with " + grant.tokens() + ", before: " + grant.before())
                .orElseGet(answer::toString);
    }

    /** What the server has, without what differs from time to time. */
    private Map<String, String> keys() {
        Map<String, String> shown = new TreeMap<>();
        for (Object key : (List<?>) server.command("KEYS", "*")) {
            String type = String.valueOf(server.command("TYPE", key.toString()));
            String content = switch (type) {
                case "hash" ->
                    key.toString().contains("#places")
                            ? sorted(server.command("HKEYS", key.toString()))
                            : sorted(server.command("HGETALL", key.toString()));
                case "zset" -> sorted(server.command("ZRANGE", key.toString(), "0", "-1"));
                case "string" -> String.valueOf(server.command("GET", key.toString()));
                default -> "";
            };
            long seconds = Math.round((Long) server.command("PTTL", key.toString()) / 5_000.0) * 5;
            shown.put(key.toString(), type + " " + constant(content) + " " + seconds + " s");
        }
        return shown;
    }

    private static String sorted(Object list) {
        return ((List<?>) list)
                .stream().map(each -> constant(each.toString())).sorted().collect(Collectors.joining(" "));
    }

    /** Without tokens, times and random ids. */
    private static String constant(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}", "id").replaceAll("\\d{13,16}", "#");
    }

    @ParameterizedTest
    @EnumSource
    void manyAttemptsAreAnsweredAsEachAloneAndLeaveTheSame(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout);
                RedisLockProvider other = RedisProviders.on(server, layout)) {
            List<ScriptCall> calls = IntStream.range(0, names.size())
                    .mapToObj(i -> acquire(provider, names.get(i), "claim-" + i))
                    .toList();
            prepare(provider, other, "claim-");
            List<String> answers =
                    alone(provider, calls).stream().map(ManyClaimsTest::shown).toList();
            Map<String, String> keys = keys();
            prepare(provider, other, "claim-");

            List<?> merged = together(provider, calls);

            assertThat(merged.stream().map(ManyClaimsTest::shown)).containsExactlyElementsOf(answers);
            assertThat(keys()).isEqualTo(keys);
            assertThat(answers)
                    .contains("granted with 16, before: false")
                    .anyMatch(answer -> answer.contains("WRONGTYPE"));
            assertTokensAreDifferent(merged);
        }
    }

    private void assertTokensAreDifferent(List<?> answers) {
        List<Grant> grants = answers.stream()
                .flatMap(each -> LockScripts.grant(each).stream())
                .toList();
        List<Long> tokens = grants.stream()
                .filter(grant -> grant.tokens() > 1)
                .flatMap(grant -> IntStream.range(0, grant.tokens()).mapToObj(i -> grant.token() + i))
                .toList();
        assertThat(tokens).hasSizeGreaterThan(16).doesNotHaveDuplicates();
        // What was taken for claims that were not granted the lock is not used.
        assertThat(Collections.max(tokens))
                .isLessThanOrEqualTo(Long.parseLong(String.valueOf(server.command("GET", "holdfast:#fence"))));
    }

    @ParameterizedTest
    @EnumSource
    void manyReleasesAreAnsweredAsEachAloneAndLeaveTheSame(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout);
                RedisLockProvider other = RedisProviders.on(server, layout)) {
            List<ScriptCall> calls = new ArrayList<>();
            for (String name : names) {
                calls.add(claim(provider, name, "claim-" + name).release());
            }
            calls.add(claim(provider, "repeated", "claim-3").release());
            prepare(provider, other, "claim-");
            run(provider, acquire(provider, "mine", "claim-mine"));
            List<String> answers =
                    alone(provider, calls).stream().map(ManyClaimsTest::shown).toList();
            Map<String, String> keys = keys();
            TestClaim heard = prepare(provider, other, "claim-");
            run(provider, acquire(provider, "mine", "claim-mine"));
            int signals = heard.mayBeFree.get();

            List<?> merged = together(provider, calls);

            soon().until(() -> heard.mayBeFree.get() > signals);

            assertThat(merged.stream().map(ManyClaimsTest::shown)).containsExactlyElementsOf(answers);
            assertThat(keys()).isEqualTo(keys);
            assertThat(answers).contains("1", "0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyClaimsTakeOneScriptOneLookAtTheClockAndOneCommandForTheCounter(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<String> ten = IntStream.range(0, 10).mapToObj(i -> "lock-" + i).toList();
            List<ScriptCall> attempts =
                    ten.stream().map(name -> acquire(provider, name, name)).toList();
            List<ScriptCall> releases = ten.stream()
                    .map(name -> claim(provider, name, name).release())
                    .toList();
            // Sends the scripts.
            assertThat(together(provider, attempts)).hasSize(10);
            assertThat(together(provider, releases)).allMatch(Long.valueOf(1)::equals);
            server.command("CONFIG", "RESETSTAT");

            assertThat(together(provider, attempts))
                    .allMatch(answer -> LockScripts.grant(answer).isPresent());
            assertThat(together(provider, releases)).allMatch(Long.valueOf(1)::equals);

            assertThat(Stream.of(
                                    "evalsha",
                                    "time",
                                    "get",
                                    "set",
                                    "exists",
                                    "hset",
                                    "pexpireat",
                                    "hlen",
                                    "hget",
                                    "publish",
                                    "del")
                            .filter(command -> server.calls(command) > 0)
                            .collect(Collectors.toMap(command -> command, server::calls)))
                    .isEqualTo(
                            layout == Layout.HASH
                                    ? Map.of(
                                            "evalsha",
                                            2L,
                                            "time",
                                            1L,
                                            "set",
                                            1L,
                                            "exists",
                                            20L,
                                            "hset",
                                            10L,
                                            "pexpireat",
                                            10L,
                                            "hlen",
                                            10L,
                                            "hget",
                                            10L,
                                            "del",
                                            10L)
                                    : Map.of(
                                            "evalsha", 2L, "time", 1L, "get", 20L, "set", 11L, "publish", 10L, "del",
                                            10L));
        }
    }

    /** For so long grants after a loss of the data might have tokens that were reserved before. */
    @ParameterizedTest
    @EnumSource
    void noTokensAreReservedMoreThanTenMillisecondsAheadOfTheClock(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<ScriptCall> calls = IntStream.range(0, 30)
                    .mapToObj(i -> claim(provider, "lock-" + i, "claim-" + i).acquire(1_000, Optional.empty()))
                    .toList();

            List<Grant> grants = together(provider, calls).stream()
                    .map(answer -> LockScripts.grant(answer).orElseThrow())
                    .toList();

            assertThat(grants).allMatch(grant -> grant.tokens() == 1_000 || grant.tokens() == 1);
            assertThat(grants).filteredOn(grant -> grant.tokens() > 1).hasSize(10);
            assertThat(grants.stream().map(Grant::token)).isSorted().doesNotHaveDuplicates();
        }
    }
}
