package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Bidder;
import io.holdfast.servers.RespConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The permissions that the backend's page says are enough, taken from the page. */
class PermissionsTest extends ServerScene {

    private static final Pattern RULE = Pattern.compile("(?m)^ACL SETUSER locks (.*)$");
    private static final Duration BOUND = Duration.ofSeconds(20);

    private static List<String> documentedRules() throws IOException {
        Matcher rule = RULE.matcher(Files.readString(Path.of("..", "docs", "backends", "redis.md")));
        assertThat(rule.find()).as("the page has the rules").isTrue();
        return List.of(rule.group(1).split(" "));
    }

    private void allow(List<String> rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset"));
        command.addAll(rules);
        server.command(command.toArray(String[]::new));
    }

    private RedisLockProvider asLocks(Layout layout) {
        return Providers.at("redis://locks:secret@127.0.0.1:" + server.port() + "/1?layout=" + layout);
    }

    @ParameterizedTest
    @EnumSource
    void theDocumentedOnesAreEnough(Layout layout) throws IOException {
        allow(documentedRules());
        try (RedisLockProvider provider = asLocks(layout)) {
            Bidder holder = Bidder.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.holder("a")).isPresent();
            Bidder waiter = Bidder.waiting(provider, "a");
            assertThat(waiter.granted()).isFalse();
            await().atMost(BOUND).until(() -> waiter.mayBeFree.get() == 1);
            assertThat(holder.released()).isTrue();
            await().atMost(BOUND).until(() -> waiter.mayBeFree.get() == 2);
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.released()).isTrue();
            assertThat((List<?>) server.command("ACL", "LOG")).isEmpty();
        }
    }

    @Test
    void noneOfThemIsSuperfluous() throws IOException {
        List<String> rules = documentedRules();
        for (String rule : rules) {
            // Leaving a channel takes more channels than this test has patience for.
            if (!rule.startsWith("+") || rule.equals("+unsubscribe")) {
                continue;
            }
            List<String> less = new ArrayList<>(rules);
            less.remove(rule);
            allow(less);
            server.command("ACL", "LOG", "RESET");
            for (Layout layout : Layout.values()) {
                try (RedisLockProvider provider = asLocks(layout)) {
                    useEverything(provider);
                }
            }
            await().alias(rule)
                    .atMost(BOUND)
                    .untilAsserted(() -> assertThat((List<?>) server.command("ACL", "LOG"))
                            .as(rule)
                            .isNotEmpty());
            server.command("FLUSHALL");
        }
    }

    private void useEverything(RedisLockProvider provider) {
        Bidder holder = Bidder.owned(provider, "a", "owner", Bidder.LEASE);
        Bidder nested = Bidder.owned(provider, "a", "owner", Bidder.LEASE);
        List<Runnable> uses = List.of(
                holder::granted,
                holder::granted,
                nested::granted,
                this::shortenLease,
                holder::held,
                () -> provider.holder("a"),
                () -> Bidder.waiting(provider, "a").granted(),
                this::awaitSubscriptionOrRefusal,
                nested::released,
                holder::released);
        for (Runnable use : uses) {
            try {
                use.run();
            } catch (LockStoreException denied) {
                assertThat(denied).hasMessageContaining("the server answered");
            }
        }
    }

    /** The subscription is another thread's, and is refused in its own time. */
    private void awaitSubscriptionOrRefusal() {
        await().atMost(BOUND)
                .until(() -> !((List<?>) server.command("ACL", "LOG")).isEmpty()
                        || !((List<?>) server.command("PUBSUB", "CHANNELS")).isEmpty());
    }

    /** Else there may be nothing to prolong. */
    private void shortenLease() {
        try (RespConnection connection = server.connect()) {
            connection.command("SELECT", "1");
            connection.command("PEXPIRE", "holdfast:a", "10000");
        }
    }

    @Test
    void aDeniedCommandIsNamed() {
        allow(List.of("on", ">secret", "~holdfast:*", "&holdfast:*", "+select", "+eval", "+evalsha"));
        try (RedisLockProvider provider = asLocks(Layout.HASH)) {
            assertThatThrownBy(Bidder.once(provider, "a")::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("can't run this command");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseThatMayNotBeAnnouncedChangesNothing(Layout layout) throws IOException {
        List<String> silent = new ArrayList<>(documentedRules());
        silent.remove("&holdfast:*");
        allow(silent);
        try (RedisLockProvider provider = asLocks(layout)) {
            Bidder holder = Bidder.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            assertThatThrownBy(holder::released).isInstanceOf(LockStoreException.class);
            assertThat(holder.held()).isTrue();
        }
    }
}
