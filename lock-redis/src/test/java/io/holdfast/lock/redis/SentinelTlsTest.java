package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;

import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class SentinelTlsTest {

    @Test
    void sentinelAndMasterAreReachedByTls(@TempDir Path directory) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        String trust = "trustStore="
                + URLEncoder.encode(certificate.store().toString(), StandardCharsets.UTF_8)
                + "&trustStorePassword=" + SelfSignedCertificate.PASSWORD + "&timeout=20s&connectTimeout=20s";
        try (RedisServer master = RedisServer.startWithTls(certificate, "no");
                RedisServer sentinel = RedisSentinels.startOneWithTls(master, certificate)) {
            String at = "127.0.0.1:" + sentinel.port("--tls-port") + "/" + RedisSentinels.MASTER + "?";
            try (RedisLockProvider provider = RedisProviders.at("rediss-sentinel://" + at + trust)) {
                assertWorks(provider);
            }
            try (RedisLockProvider plain = RedisProviders.at("redis-sentinel://" + at + "timeout=1s")) {
                assertFails(
                        TestClaim.once(plain, "a")::granted, "no sentinel names the master", "use rediss-sentinel://");
            }
        }
    }
}
