package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.ConnectionParameters;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUriTest {

    @Test
    void theEnginesParametersAreTakenOutAndTheBackendMayRefuseThem() {
        ConnectionUri uri = ConnectionUri.parse("Redis://host:6379/0?lease=5s&layout=string&handOver=3");

        assertThat(uri.scheme()).isEqualTo("redis");
        assertThat(uri.backendUri()).hasToString("Redis://host:6379/0?layout=string");
        ConnectionParameters parameters = uri.parameters(Map.of());
        assertThat(parameters.text("layout")).contains("string");
        assertThat(parameters.text("lease")).contains("5s");
        assertThat(parameters.text("handOver")).contains("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1001", "", "16x", "1.5", "off", "+1", "0x10", "99999999999"})
    void aHandOverThatIsNotAllowedIsNamedWithWhatIs(String handOver) {
        assertThatThrownBy(() -> LockClient.builder("redis://host?handOver=" + handOver.replace("+", "%2B")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("handOver", "'" + handOver + "'", "allowed");
        assertThatThrownBy(() -> LockClient.builder("redis://host").property("handOver", handOver))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("handOver", "'" + handOver + "'", "0 to 1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0ms",
                "-1s",
                "-5s",
                "8761h",
                "5",
                "",
                "1d",
                "1.5s",
                "5 s",
                "5S",
                "999999999999h",
                "9999999999999999h"
            })
    void aLeaseThatIsNotAllowedIsNamedWithWhatIs(String lease) {
        assertThatThrownBy(() -> LockClient.builder("redis://host?lease=" + lease.replace(" ", "%20")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed")
                .hasMessageContaining("lease");
        assertThatThrownBy(() -> LockClient.builder("redis://host").property("lease", lease))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed")
                .hasMessageContaining("lease");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lease=5s&lease=7s", "lease=5s&lease=5s", "lease=5s&%6cease=5s", "%6cease=5s&a=1&%6Cease=5s"})
    void aLeaseIsGivenOnce(String query) {
        assertThatThrownBy(() -> ConnectionUri.parse("redis://host?" + query))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'lease' is given twice");
    }

    @Test
    void aNameMayBePercentEncodedLikeAValue() {
        ConnectionUri uri = ConnectionUri.parse("redis://host?a=1&%6c%65ase=%35s&b=2");

        assertThat(uri.parameters(Map.of()).text("lease")).contains("5s");
        assertThat(uri.backendUri()).hasToString("redis://host?a=1&b=2");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h?, redis://h",
        "redis://h/1?, redis://h/1",
        "memory:x?, memory:x",
        "memory:x?lease=5s, memory:x",
        "memory:x?%68andOver=5, memory:x",
    })
    void anEmptyQueryIsNone(String text, String backendUri) {
        assertThat(ConnectionUri.parse(text).backendUri()).hasToString(backendUri);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&&b=2", "&&", "&", "a=1&", "&a=1", "a", "=1"})
    void aParameterWithoutNameOrValueIsRefused(String query) {
        assertThatThrownBy(() -> ConnectionUri.parse("memory:x?" + query))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed is name=value, joined by &");
    }

    @Test
    void aParameterWithoutAValueIsNamedUnlessItMayBeAPieceOfAPassword() {
        assertThatThrownBy(() -> ConnectionUri.parse("redis://h?poolSize=5&timeout"))
                .hasMessage("The URI's parameter 'timeout' has no value; allowed is name=value, joined by &");
        for (String query : new String[] {"password=a&secret", "trustStorePassword=a&secret", "password:secret"}) {
            assertThatThrownBy(() -> ConnectionUri.parse("redis://h?" + query))
                    .hasMessage("A parameter of the URI has no name and value; allowed is name=value, joined by &");
        }
    }

    @Test
    void aFragmentIsRefusedBecauseNoBackendHasAUseForIt() {
        assertThatThrownBy(() -> ConnectionUri.parse("memory:x#y"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'memory:x#***' has a fragment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no scheme", "redis", "//host", "redis://ho st", "redis://host/%zz", "1://x", "redis:"})
    void aMalformedUriIsNamedWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> ConnectionUri.parse(text))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("allowed is scheme:rest");
    }

    @Test
    void aMalformedUriIsShownWithThePlaceThatIsWrong() {
        assertThatThrownBy(() -> ConnectionUri.parse("redis://ann:pw@host/0?lease=5s&clientName=a b"))
                .hasMessageContaining("'redis://***@host/0?***' is not a URI")
                .hasMessageContaining("Illegal character in query at index 43");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "redis://host:6379/0 redis://host:6379/0",
                "memory:test memory:test",
                "redis://host:6379/0?layout=string redis://host:6379/0?***",
                "redis://ann:pw@host:6379/0 redis://***@host:6379/0",
                "redsi:ann:pw@host redsi:***@host",
                "ann:pw@host ann:***@host",
                "pw@host ***@host",
                "//ann:pw@host ***@host",
                ":pw@host ***@host",
                "redis//ann:pw@host ***@host",
                "redis:/ann:pw@host redis:***@host",
                "redis://ann:p//w@x@host redis://***@host",
                "redsi:ann:p//w@host redsi:***@host",
                "redis://ann:p?w@host redis://***",
                "redis://ann:p#w@host redis://***",
                "redis://host?password=p@w redis://***",
                "redis://ann:pw redis://ann:***",
                "redis://ann:pw:6379 redis://ann:***",
                "jdbc:postgresql://u:p@h/db?password=p jdbc:***@h/db?***",
                "jdbc:h2:mem:x;PASSWORD=p jdbc:h2:***;***",
            })
    void whatMayBeAPasswordIsMasked(String text, String shown) {
        assertThat(ConnectionUri.redacted(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h1:5432,h2/db?user=me@home&password=s3cr3t",
                "JDBC:h2:mem:x;PASSWORD=s3cr3t",
                "jdbc:mariadb://h/db?a&lease=3s#s3cr3t"
            })
    void allOfAJdbcUrlIsLeftToTheDriverAndItsParametersAreNotShown(String text) {
        ConnectionUri uri = ConnectionUri.parse(text);
        assertThat(uri.scheme()).isEqualTo("jdbc");
        assertThat(uri.backendUri()).hasToString(text);
        assertThat(uri.parameters(Map.of()).text("lease")).isEmpty();
        uri.parameters(Map.of()).rejectUnknown();
        assertThat(uri.toString()).doesNotContain("s3cr3t");
    }
}
