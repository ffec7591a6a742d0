package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.RedisTlsScene;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RedissonTlsTest extends RedisTlsScene {

    private static final String REDISSON = System.getProperty("line.version");

    @Override
    protected String scheme() {
        return "redisson";
    }

    @Override
    protected LockProvider open(String uri, Map<String, String> properties) {
        return RedissonProviders.at(uri, properties);
    }

    /** Redisson before 3.41 has no setting for it. */
    @Override
    @Test
    protected void verifiesOnlyWhatTheUriDemands(@TempDir Path elsewhere) throws Exception {
        if (Version.parse(REDISSON).compareTo(Version.parse("3.41")) >= 0) {
            super.verifiesOnlyWhatTheUriDemands(elsewhere);
            return;
        }
        for (String mode : new String[] {"ca", "none"}) {
            assertThatThrownBy(() -> RedissonProviders.at("redissons://127.0.0.1?verify=" + mode))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll("'verify'", mode, "allowed is full", REDISSON, "3.41");
        }
        assertThatCode(() -> RedissonProviders.at("redissons://127.0.0.1?verify=full")
                        .close())
                .doesNotThrowAnyException();
    }
}
