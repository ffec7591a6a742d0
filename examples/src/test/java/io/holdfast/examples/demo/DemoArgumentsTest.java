package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoArgumentsTest {

    @Test
    void redisIsTheDefault() {
        assertThat(DemoArguments.parse(List.of()).backend().name()).isEqualTo("redis");
    }

    @Test
    void aBackendIsNamedInEitherForm() {
        assertThat(DemoArguments.parse(List.of("--backend", "memory")).backend().name())
                .isEqualTo("memory");
        assertThat(DemoArguments.parse(List.of("--backend=redis-string"))
                        .backend()
                        .name())
                .isEqualTo("redis-string");
    }

    @Test
    void anUnknownBackendIsRefusedWithTheAllowedOnes() {
        assertThatExceptionOfType(DemoArguments.UsageException.class)
                .isThrownBy(() -> DemoArguments.parse(List.of("--backend", "paper")))
                .withMessage(
                        "Unknown backend 'paper'; allowed are: redis, redis-string, redis-sentinel, redis-cluster, redlock, redisson, zookeeper,"
                                + " jdbc-h2, jdbc-postgresql, jdbc-mariadb, jpa, memory");
    }

    @Test
    void aBackendWithoutANameIsRefused() {
        assertThatExceptionOfType(DemoArguments.UsageException.class)
                .isThrownBy(() -> DemoArguments.parse(List.of("--backend")))
                .withMessageContaining("needs a name");
    }

    @Test
    void twoBackendsAreRefused() {
        assertThatExceptionOfType(DemoArguments.UsageException.class)
                .isThrownBy(() -> DemoArguments.parse(List.of("--backend", "redis", "--backend=memory")))
                .withMessageContaining("'redis' and 'memory'");
    }

    @Test
    void anUnknownArgumentIsRefused() {
        assertThatExceptionOfType(DemoArguments.UsageException.class)
                .isThrownBy(() -> DemoArguments.parse(List.of("--fast")))
                .withMessageContaining("'--fast'; allowed are: migrate, --backend NAME, --help");
    }

    @Test
    void moveTakesNoBackend() {
        assertThat(DemoArguments.parse(List.of("migrate")).migrate()).isTrue();
        assertThat(DemoArguments.parse(List.of()).migrate()).isFalse();
        assertThatExceptionOfType(DemoArguments.UsageException.class)
                .isThrownBy(() -> DemoArguments.parse(List.of("migrate", "--backend", "memory")))
                .withMessageContaining("takes no --backend");
    }

    @Test
    void theHelpTextNamesEveryBackend() {
        assertThat(DemoArguments.parse(List.of("--help")).help()).isTrue();
        for (DemoBackend backend : DemoBackend.ALL) {
            assertThat(DemoArguments.helpText()).contains("\n  " + backend.name() + " ");
        }
    }
}
