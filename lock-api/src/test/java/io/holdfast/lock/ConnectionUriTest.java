package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {

    @Test
    void theLeaseIsTheEnginesAndTheRestIsTheBackends() {
        ConnectionUri uri = ConnectionUri.parse("Redis://host:6379/0?lease=5s&layout=string");

        assertThat(uri.scheme()).isEqualTo("redis");
        assertThat(uri.applyTo(LockOptions.DEFAULTS).leaseTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(uri.backendUri()).hasToString("Redis://host:6379/0?layout=string");
        assertThat(uri.parameters(Map.of()).text("layout")).contains("string");
        assertThat(uri.parameters(Map.of()).text("lease")).isEmpty();
    }

    @Test
    void withoutALeaseTheDefaultsStand() {
        assertThat(ConnectionUri.parse("memory:test").applyTo(LockOptions.DEFAULTS))
                .isEqualTo(LockOptions.DEFAULTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "-1s", "8761h", "5", "", "1.5s", "5 s", "5S", "99999999999999h"})
    void aLeaseThatIsNotAllowedIsNamedWithWhatIs(String lease) {
        assertThatThrownBy(() -> ConnectionUri.parse("redis://host?lease=" + lease.replace(" ", "%20"))
                        .applyTo(LockOptions.DEFAULTS))
                .isInstanceOf(LockConfigurationException.class)
                .message()
                .containsAnyOf("allowed", "too long")
                .contains("lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no scheme", "redis", "//host", "redis://ho st", "redis://host/%zz", "1://x", "redis:"})
    void aMalformedUriIsNamedWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> ConnectionUri.parse(text))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("allowed is scheme:rest");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://user:s3cret@host:6379",
        "redis://user:s3cret@ho st",
        "redis://:s3cret/with@odd#things@host bad",
        "redis://host?password=s3cret&x=a b",
        "redis://host?trustStorePassword=s3cret%zz",
        "jdbc:postgresql://h/db?user=u&password=s3cret&x=^",
        "jdbc:h2:mem:x;PASSWORD=s3cret;y=^",
        "nothing://user:s3cret@host"
    })
    void aPasswordIsInNoErrorAndInNoText(String text) {
        assertThat(ConnectionUri.redacted(text)).doesNotContain("s3cret").contains("***");
        assertThatThrownBy(() -> LockClient.connect(text))
                .isInstanceOf(LockConfigurationException.class)
                .satisfies(failure -> assertThat(allTexts(failure)).doesNotContain("s3cret"));
    }

    private static String allTexts(Throwable failure) {
        StringBuilder texts = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            texts.append(each);
        }
        return texts.toString();
    }

    @Test
    void aTextWithoutASecretIsShownAsItIs() {
        assertThat(ConnectionUri.redacted("redis://host:6379/0?layout=string"))
                .isEqualTo("redis://host:6379/0?layout=string");
    }
}
