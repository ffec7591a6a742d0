package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertReleaseWakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nodes of a cluster name their ports for TLS to who asks by TLS. */
@Tag("full")
class ClusterTlsTest extends ClusterScene {

    @Test
    void worksOnEachShardOverTls(@TempDir Path directory) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        String store = URLEncoder.encode(certificate.store().toString(), StandardCharsets.UTF_8);
        try (RedisCluster cluster = RedisCluster.start(
                "--tls-port",
                RedisServer.FREE_PORT,
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.certificate().toString(),
                "--tls-auth-clients",
                "no",
                "--tls-cluster",
                "yes",
                "--tls-replication",
                "yes")) {
            String address =
                    "rediss-cluster://127.0.0.1:" + cluster.nodes().get(0).port("--tls-port")
                            + "?timeout=10s&connectTimeout=10s&trustStore=" + store + "&trustStorePassword="
                            + SelfSignedCertificate.PASSWORD;
            try (RedisLockProvider provider = RedisProviders.at(address)) {
                for (String name : List.of("a", "b", "c", "d", "e", "f")) {
                    TestClaim holder = TestClaim.once(provider, name);
                    assertThat(holder.granted()).isTrue();
                    assertReleaseWakes(provider, holder, name);
                }
            }
        }
    }
}
