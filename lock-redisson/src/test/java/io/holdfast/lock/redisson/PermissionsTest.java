package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Waits;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The permissions that the backend's page says are enough, taken from the page. */
class PermissionsTest extends ServerScene {

    private static final Pattern RULE = Pattern.compile("(?m)^ACL SETUSER locks (.*)$");

    private static List<String> documentedRules() throws IOException {
        Matcher rule = RULE.matcher(Files.readString(Path.of("..", "docs", "backends", "redisson.md")));
        assertThat(rule.find()).as("the page has the rules").isTrue();
        return List.of(rule.group(1).split(" "));
    }

    private void allow(List<String> rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset"));
        command.addAll(rules);
        server.command(command.toArray(String[]::new));
    }

    private static RedissonLockProvider asLocks(int port, Layout layout) {
        return Providers.at("redisson://locks:secret@127.0.0.1:" + port + "/1?timeout=1s&layout=" + layout);
    }

    @ParameterizedTest
    @EnumSource
    void theDocumentedOnesAreEnough(Layout layout) throws IOException {
        allow(documentedRules());
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider provider = asLocks(proxy.port(), layout)) {
            Bidder holder = Bidder.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(provider.holder("app:a")).isPresent();
            Bidder waiter = Bidder.waiting(provider, "app:a");
            assertThat(waiter.granted()).isFalse();
            soon().until(() -> waiter.mayBeFree.get() == 1);
            assertThat(holder.released()).isTrue();
            soon().until(() -> waiter.mayBeFree.get() == 2);
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.released()).isTrue();
            Bidder unanswered = Bidder.once(provider, "app:b");
            proxy.swallow(Direction.REPLIES);
            assertThatThrownBy(unanswered::granted).isInstanceOf(LockStoreException.class);
            proxy.reset();
            proxy.pass(Direction.REPLIES);
            Waits.answered().until(unanswered::released);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseThatMayNotBeAnnouncedChangesNothing(Layout layout) throws IOException {
        List<String> silent = new ArrayList<>(documentedRules());
        assertThat(silent.removeIf(rule -> rule.startsWith("&"))).isTrue();
        allow(silent);
        try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
            Bidder holder = Bidder.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("release of lock 'app:a'", "the server answered");
            assertThat(holder.held()).isTrue();
        }
    }
}
