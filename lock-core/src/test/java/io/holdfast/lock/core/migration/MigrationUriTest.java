package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationUriTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "migrate:?from=memory:uri-from&to=memory:uri-to&phase=both",
                "migrate:?from=memory%3Auri-from&to=memory%3Auri-to&phase=BOTH&tokens=keep&lease=5s",
            })
    void opensBothStores(String uri) {
        try (LockClient client = LockClient.connect(uri);
                LockClient old = LockClient.connect("memory:uri-from");
                LockClient young = LockClient.connect("memory:uri-to");
                LockHandle held = client.lock("stock").tryAcquire().orElseThrow()) {
            assertThat(old.lock("stock").tryAcquire()).isEmpty();
            assertThat(young.lock("stock").tryAcquire()).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void storesMayBeProperties() {
        try (LockClient client = LockClient.builder("migrate:?phase=from_only")
                        .property("from", "memory:uri-from")
                        .property("to", "memory:uri-to")
                        .build();
                LockClient old = LockClient.connect("memory:uri-from");
                LockHandle held = client.lock("stock").tryAcquire().orElseThrow()) {
            assertThat(old.lock("stock").tryAcquire()).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void allButTheLeaseMayBeProperties() {
        try (LockClient client = LockClient.builder("migrate:?lease=20s")
                .property("phase", "both")
                .property("from", "memory:uri-from")
                .property("to", "memory:uri-to")
                .build()) {
            assertThat(client.lock("stock").tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "migrate:? | 'from' is missing",
                "migrate:?to=memory:b&phase=both | 'from' is missing",
                "migrate:?from=memory:a&phase=both | 'to' is missing",
                "migrate:?from=memory:a&to=memory:b | 'phase' is missing; allowed are from_only, both, to_only",
                "migrate:?from=memory:a&to=memory:b&phase=new | 'phase' is 'new'; allowed are both, from_only, to_only",
                "migrate:?from=memory:a&to=memory:b&phase=both&tokens=no | 'tokens' is 'no'; allowed are keep, none",
                "migrate:?from=memory:a&to=memory:b&phase=both&x=y | 'x' is unknown",
                "migrate:?from=memory:a&to=memory:b&phase=both&from.x=y | 'x' is unknown",
                "migrate:?from=memory:a%3Flease%3D5s&to=memory:b&phase=both | 'lease' belongs to the URI of a client",
                "migrate:?from=memory:a%3FhandOver%3D0&to=memory:b&phase=both | 'handOver' belongs to the URI of a client",
                "migrate:fleet?from=memory:a&to=memory:b&phase=both | there is a name",
                "migrate:?from=nothing:a&to=memory:b&phase=both | no backend for the scheme 'nothing'",
            })
    void namesTheErrorAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> LockClient.connect(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }
}
