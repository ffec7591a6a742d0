package io.holdfast.lock.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryUriTest {

    @ParameterizedTest
    @ValueSource(strings = {"memory:uri-test", "MEMORY:uri-test?", "memory:uri-test?lease=5s", "memory:uri%2Dtest"})
    void allSpellingsOfAStoreAreOneStore(String uri) {
        try (LockClient one = LockClient.connect("memory:uri-test");
                LockClient other = LockClient.connect(uri)) {
            try (LockHandle held = one.lock("stock").tryAcquire().orElseThrow()) {
                assertThat(other.lock("stock").tryAcquire()).isEmpty();
                assertThat(held.isHeld()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory://test | name is '//test'",
                "memory:/test | name is '/test'",
                "memory:a%20b | name is 'a b'",
                "memory:a%3Fb | name is 'a?b'",
                "memory:%ff | not percent-encoded well",
                "memory:a?b=c | 'b' is unknown; allowed are handOver, lease",
                "memory:a?b | name=value",
                "memory:a?& | name=value",
                "memory: | is a scheme with nothing behind it",
                "memory:?lease=5s | name is ''",
                "memory:ann@h | has an @",
            })
    void namesTheErrorAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> LockClient.connect(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memory://ann:s3cr3t@h",
                "memory:ann:s3cr3t@h",
                "memory:ann%3As3cr3t%40h",
                "memory:x?password=s3cr3t",
                "memory:x?s3cr3t@h",
                "memory:x#s3cr3t@h",
            })
    void aMisplacedPasswordIsNotShown(String uri) {
        assertThatThrownBy(() -> LockClient.connect(uri))
                .isInstanceOf(LockConfigurationException.class)
                .satisfies(failure -> {
                    StringWriter texts = new StringWriter();
                    failure.printStackTrace(new PrintWriter(texts, true));
                    assertThat(texts.toString()).doesNotContain("s3cr3t");
                });
    }

    @Test
    void theLeaseCanBeAProperty() {
        try (LockClient client = LockClient.builder("memory:uri-test?lease=1h")
                        .property("lease", "5s")
                        .build();
                LockHandle held = client.lock("stock").tryAcquire().orElseThrow()) {
            assertThat(held.remaining()).isLessThanOrEqualTo(java.time.Duration.ofSeconds(5));
        }
    }

    @Test
    void theHandOverIsAParameterOfEveryBackend() {
        try (LockClient client = LockClient.connect("memory:uri-test?handOver=0");
                LockHandle held = client.lock("stock").tryAcquire().orElseThrow()) {
            assertThat(held.isHeld()).isTrue();
        }
    }
}
