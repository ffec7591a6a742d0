package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZooKeeperUriTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "zookeeper://host host:2181 /holdfast",
                "zookeeper://host/ host:2181 /holdfast",
                "zookeeper://a:1,b_b,c.d:3/x/y a:1,b_b:2181,c.d:3 /x/y",
                "zookeeper://[::1]:3 [::1]:3 /holdfast",
                "zookeeper://host/a%2Cb?sessionTimeout=1s host:2181 /a,b"
            })
    void namesServersAndBasePath(String uri, String servers, String basePath) {
        EnsembleAddress address = EnsembleAddress.of(URI.create(uri));

        assertThat(address.connectionString()).isEqualTo(servers);
        assertThat(address.basePath().base()).isEqualTo(basePath);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper:host",
                "zookeeper:///a",
                "zookeeper://host,/a",
                "zookeeper://host:0",
                "zookeeper://host:65536",
                "zookeeper://ho$t",
                "zookeeper://host/a//b",
                "zookeeper://host/a/",
                "zookeeper://host/%FF",
                "zookeeper://host#a",
                "zookeeper://host?sessionTimeout=99ms",
                "zookeeper://host?sessionTimeout=10",
                "zookeeper://host?connectTimeout=0ms",
                "zookeeper://host?timeout=1s",
                "zookeeper://host?user=me"
            })
    void refusesWhatItCannotReadAndSaysWhatIsAllowed(String uri) {
        assertThatThrownBy(() -> ZooKeeperProviders.at(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed");
    }

    @Test
    void refusesALeaseAndSaysWhatToSetInstead() {
        for (LockClient.Builder builder : List.of(
                LockClient.builder("zookeeper://127.0.0.1?lease=5s"),
                LockClient.builder("zookeeper://127.0.0.1").property("lease", "5s"))) {
            assertThatThrownBy(builder::build)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll("'lease'", "set 'sessionTimeout' instead");
        }
    }

    @Test
    void showsNoPassword() {
        for (String uri : new String[] {
            "zookeeper://me:secret@host",
            "zookeeper://host?password=secret",
            "zookeeper://host?user=a:b&password=secret"
        }) {
            assertThatThrownBy(() -> ZooKeeperProviders.at(uri))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("allowed")
                    .hasMessageNotContaining("secret");
        }
    }
}
