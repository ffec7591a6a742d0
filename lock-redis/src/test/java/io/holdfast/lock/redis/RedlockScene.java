package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Providers;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisNodes;
import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Tests on servers of their own, three or five, which they may break. */
@Tag("server")
abstract class RedlockScene {

    static final String ALWAYS = "persistence=always";
    /** With time for the answers of a busy machine. */
    static final String PATIENT = ALWAYS + "&timeout=5s";

    final String name = "name-" + UUID.randomUUID();
    RedisNodes nodes;
    RedlockLockProvider provider;
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Starts servers, and opens a provider on them. */
    void start(int count) {
        nodes = nodes(count);
        provider = provider(nodes, PATIENT);
    }

    RedisNodes nodes(int count) {
        return closing(RedisNodes.startDurable(count));
    }

    /** Without anything on disk. */
    RedisNodes forgetfulNodes(int count) {
        return closing(RedisNodes.start(count));
    }

    RedlockLockProvider provider(RedisNodes nodes, String query) {
        return at("redlock://" + nodes.addresses() + "?" + query);
    }

    RedlockLockProvider at(String uri) {
        return closing((RedlockLockProvider) Providers.open(new RedlockLockProviderFactory(), uri, Map.of()));
    }

    /** Closes it after the test, the last one first. */
    <T extends AutoCloseable> T closing(T resource) {
        opened.add(0, resource);
        return resource;
    }

    /** A claim that was granted the lock. */
    TestClaim hold() {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        return holder;
    }

    /** A majority is enough for a grant; the answers of the others follow. */
    void awaitLockedOnAll() {
        Waits.soon().until(() -> nodes.all().stream().allMatch(this::isLockedOn));
    }

    boolean isLockedOn(RedisServer server) {
        return server.command("EXISTS", KeySpace.DEFAULT_PREFIX + name).equals(1L);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }
}
