package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertWorks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** How Redlock reaches its servers: by given clients, by TLS, as a user. */
class RedlockConnectionsTest extends RedlockScene {

    private RedlockLockProvider over(List<RedisClient> clients) {
        RedlockLockProvider.Builder durable = RedlockLockProvider.over(clients).durable();
        return closing(durable.timeout(Duration.ofSeconds(5)).build());
    }

    @Proves({"7.2", "9.6"})
    @Test
    void givenClientsAreUsedAndStayOpen() throws Exception {
        nodes = nodes(3);
        List<RedisClient> clients = nodes.all().stream()
                .map(server -> closing(RedisClient.create(server.host(), server.port())))
                .toList();
        RedlockLockProvider provider = over(clients);
        assertWorks(provider);
        try (LockClient first = LockClient.builder(provider).build();
                LockClient second = LockClient.builder(over(clients)).build()) {
            LockHandle handle = first.lock(name).acquire();
            CompletableFuture<LockHandle> waiter =
                    second.lock(name).acquireAsync().toCompletableFuture();
            handle.close();
            waiter.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS).close();
        }
        assertThat(clients).allSatisfy(client -> assertThat(client.ping()).isEqualTo("PONG"));
        // None is still lent.
        clients.forEach(client -> Waits.soon().until(() -> client.getPool().getNumActive() == 0));
    }

    @Test
    void clientsOfTheSameServerAreRefused() {
        nodes = nodes(2);
        List<RedisClient> clients = IntStream.of(0, 1, 1)
                .mapToObj(node -> closing(RedisClient.create(
                        nodes.get(node).host(), nodes.get(node).port())))
                .toList();
        assertThatThrownBy(TestClaim.once(over(clients), name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is the same server as the server of given client");
    }

    @Test
    void serversAreReachedByTls(@TempDir Path directory) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        List<RedisServer> servers = IntStream.range(0, 3)
                .mapToObj(each -> closing(RedisServer.startWithTls(certificate, "no")))
                .toList();
        String addresses = servers.stream()
                .map(server -> server.host() + ":" + server.port("--tls-port"))
                .collect(Collectors.joining(","));
        String trust = "?longestLease=100ms&lease=100ms&timeout=20s&connectTimeout=20s&trustStorePassword="
                + SelfSignedCertificate.PASSWORD + "&trustStore="
                + URLEncoder.encode(certificate.store().toString(), StandardCharsets.UTF_8);
        RedlockLockProvider provider = at("redlocks://" + addresses + trust.replace("&lease=100ms", ""));
        Waits.soon()
                .ignoreException(LockStoreException.class)
                .until(() -> provider.holder(name).isEmpty());
        RedlockLockProvider plain = at("redlock://" + addresses + "?timeout=20s");
        assertThatThrownBy(() -> plain.holder(name))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("use redlocks://");
    }

    @Test
    void userWithoutARightIsNamedAndNoPasswordIs() {
        nodes = nodes(3);
        nodes.all()
                .forEach(server ->
                        server.command("ACL", "SETUSER", "locks", "on", ">topsecret", "~*", "&*", "+@all", "-info"));
        RedlockLockProvider denied = at("redlock://locks:topsecret@" + nodes.addresses() + "?" + PATIENT);
        assertThatThrownBy(TestClaim.once(denied, name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("info")
                .hasMessageNotContaining("topsecret");
        RedlockLockProvider wrong = at("redlock://locks:wrongsecret@" + nodes.addresses() + "?" + PATIENT);
        assertThatThrownBy(TestClaim.once(wrong, name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("wrongsecret");
    }
}
