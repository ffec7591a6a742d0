package io.holdfast.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.holdfast.lock.LockConfigurationException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionParametersTest {

    private enum Color {
        RED,
        DARK_BLUE
    }

    private static ConnectionParameters query(String query) {
        return ConnectionParameters.of(query, Map.of());
    }

    @Test
    void parametersOfAKindAreTakenAsAWhole() {
        ConnectionParameters parameters = ConnectionParameters.of("a=1&x.y=2", Map.of("x.z", "3"));

        assertThat(parameters.matching(name -> name.startsWith("x.")))
                .containsOnly(entry("x.y", "2"), entry("x.z", "3"));
        assertThatThrownBy(parameters::rejectUnknown).hasMessageContaining("'a'");
        parameters.text("a");
        parameters.rejectUnknown();
    }

    @Test
    void aPropertyWinsOverTheQuery() {
        ConnectionParameters parameters = ConnectionParameters.of("a=query&b=2", Map.of("a", "property"));

        assertThat(parameters.text("a")).contains("property");
        assertThat(parameters.text("b")).contains("2");
        assertThat(parameters.text("c")).isEmpty();
    }

    @Test
    void valuesArePercentDecodedAndAPlusIsAPlus() {
        assertThat(query("a=x%20y%26z+1").text("a")).contains("x y&z+1");
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "30s,30000", "2m,120000", "1h,3600000", "-5ms,-5"})
    void aDurationIsANumberWithAUnit(String text, long millis) {
        assertThat(ConnectionParameters.parseDuration("d", text)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void numbersDurationsAndChoicesHaveDefaults() {
        ConnectionParameters none = query("");

        assertThat(none.integer("n", 8, 1, 10)).isEqualTo(8);
        assertThat(none.duration("d", Duration.ofSeconds(2), Duration.ZERO, Duration.ofMinutes(1)))
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(none.choice("c", Color.RED)).isEqualTo(Color.RED);
    }

    @Test
    void aChoiceIsWrittenInAnyCase() {
        assertThat(query("c=Dark_Blue").choice("c", Color.RED)).isEqualTo(Color.DARK_BLUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "-1", "x", "1.0", "", "99999999999"})
    void aNumberOutOfRangeIsNamedWithTheRange(String value) {
        assertThatThrownBy(() -> query("n=" + value).integer("n", 8, 1, 10))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'n' is '" + value + "'; allowed are whole numbers from 1 to 10");
    }

    @Test
    void aDurationOutOfRangeIsNamedWithTheRange() {
        assertThatThrownBy(() ->
                        query("d=2m").duration("d", Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMinutes(1)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'd' is '2m'; allowed are 1ms to 1m");
    }

    /** What an error says is allowed can be written as it stands there. */
    @ParameterizedTest
    @CsvSource({"250ms, 10m", "1s, 8760h", "1500ms, 90s", "1ms, 36h"})
    void theLimitsOfADurationAreToldAsTheyAreRead(String least, String most) {
        Duration from = ConnectionParameters.parseDuration("d", least);
        Duration to = ConnectionParameters.parseDuration("d", most);
        assertThatThrownBy(() -> query("d=0ms").duration("d", from, from, to))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'd' is '0ms'; allowed are " + least + " to " + most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "5", "5 s", " 5s", "5S", "1.5s", "", "s", "--5s", "+5s", "9999999999999999h", "٥s"})
    void whatIsNoDurationIsNamedWithWhatIs(String text) {
        assertThatThrownBy(() -> ConnectionParameters.parseDuration("d", text))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'd' is '" + text + "'; allowed is a whole number of up to 15 digits"
                        + " with a unit of ms, s, m or h, such as 500ms or 30s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "-5s", "999999999999h", "999999999999999h", "-999999999999999h"})
    void aDurationOutOfRangeIsNamedAsItWasGiven(String text) {
        assertThatThrownBy(() -> query("d=" + text)
                        .duration("d", Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMinutes(1)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'd' is '" + text + "'; allowed are 1ms to 1m");
    }

    @Test
    void textOfAnotherFormIsRefusedWithTheAllowedOne() {
        Pattern digits = Pattern.compile("[0-9]+");

        assertThat(query("").text("t", "7", digits, "digits")).isEqualTo("7");
        assertThat(query("t=42").text("t", "7", digits, "digits")).isEqualTo("42");
        assertThatThrownBy(() -> query("t=42x").text("t", "7", digits, "digits"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 't' is '42x'; allowed are digits");
    }

    @Test
    void keyStoreIsOpenedOnceWithItsPassword(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("store");
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (OutputStream content = Files.newOutputStream(file)) {
            store.store(content, "s3cret".toCharArray());
        }

        assertThat(query("").keyStore("trust")).isEmpty();
        assertThat(ConnectionParameters.of("", Map.of("trust", file.toString(), "trustPassword", "s3cret"))
                        .keyStore("trust"))
                .contains(file.toFile());
        assertKeyStoreIsRefused(file, "wr0ng");
        assertKeyStoreIsRefused(directory.resolve("none"), "wr0ng");
        assertKeyStoreIsRefused(directory, "wr0ng");
        assertKeyStoreIsRefused(Files.writeString(directory.resolve("text"), "no key store"), "wr0ng");
    }

    @Test
    void keyStoreOfATypeThatClientLibrariesDoNotOpenIsRefused(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("store");
        KeyStore store = KeyStore.getInstance("JCEKS");
        store.load(null, null);
        try (OutputStream content = Files.newOutputStream(file)) {
            store.store(content, "s3cret".toCharArray());
        }
        assertKeyStoreIsRefused(file, "s3cret");
    }

    private static void assertKeyStoreIsRefused(Path file, String password) {
        ConnectionParameters parameters =
                ConnectionParameters.of("", Map.of("trust", file.toString(), "trustPassword", password));

        assertThatThrownBy(() -> parameters.keyStore("trust"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith("The parameter 'trust' is '" + file
                        + "'; allowed is a key store file that can be read with the parameter 'trustPassword' (")
                .hasMessageNotContaining(password);
    }

    @Test
    void anUnknownChoiceIsNamedWithTheChoices() {
        assertThatThrownBy(() -> query("c=green").choice("c", Color.RED))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'c' is 'green'; allowed are dark_blue, red");
    }

    @Test
    void anUnknownParameterIsNamedWithTheKnownOnesAndWithoutItsValue() {
        ConnectionParameters parameters = ConnectionParameters.of("poolsize=3", Map.of("passwort", "s3cret"));
        assertThat(parameters.text("password")).isEmpty();
        assertThat(parameters.integer("poolSize", 8, 1, 10)).isEqualTo(8);

        assertThatThrownBy(parameters::rejectUnknown)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'poolsize' is unknown; allowed are handOver, lease, password, poolSize");
        assertThat(parameters).asString().contains("passwort").doesNotContain("s3cret");
    }

    @Test
    void aBackendThatCannotUseTheLeaseRefusesItAndOffersItNoMore() {
        assertThatCode(query("lease=5s")::rejectUnknown).doesNotThrowAnyException();
        assertThatThrownBy(() -> query("lease=5s").rejectLease("sessionTimeout"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("'lease'", "set 'sessionTimeout' instead");

        ConnectionParameters other = query("leese=5s");
        other.text("sessionTimeout");
        other.rejectLease("sessionTimeout");
        assertThatThrownBy(other::rejectUnknown)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The parameter 'leese' is unknown; allowed are handOver, sessionTimeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "=1", "a=1&", "&&", "a=1&a=2", "a=1&%61=2", "a=%zz", "a=%", "a=%f", "a=x%ff", "%ff=1"})
    void aMalformedQueryIsRefused(String query) {
        assertThatThrownBy(() -> query(query))
                .isInstanceOf(LockConfigurationException.class)
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"s3cr3t@h", "s3cr3t=@h", "a=1&s3cr3t=@h", "a=@s3cr3t", "s3cr3t", "a=s3cr3t%ff", "a=s3cr3t%zz"})
    void whatMayBeAPieceOfAPasswordIsNotShown(String query) {
        assertThatThrownBy(() -> query(query))
                .isInstanceOf(LockConfigurationException.class)
                .hasNoCause()
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void anAtSignIsPercentEncoded() {
        assertThat(query("a=x%40y").text("a")).contains("x@y");
        assertThatThrownBy(() -> query("a=x@y"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("percent-encoded")
                .hasMessageContaining("%40");
    }

    @ParameterizedTest
    @CsvSource({"%C3%A9,é", "é,é", "%f0%9f%94%92,🔒", "a%2Bb+c,a+b+c", "%25zz,%zz", "%EF%BF%BD,\uFFFD", "'',''"})
    void validUtf8IsDecoded(String text, String decoded) {
        assertThat(ConnectionParameters.percentDecoded("user", text)).isEqualTo(decoded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%ff", "%C3", "%C3x", "%ED%A0%BD", "%C0%80", "%f8", "%zz", "%", "%4", "%-1", "% 1", "%４1"})
    void otherBytesAreRefusedInsteadOfBeingReplaced(String text) {
        assertThatThrownBy(() -> ConnectionParameters.percentDecoded("user", text))
                .isInstanceOf(LockConfigurationException.class)
                .hasNoCause()
                .hasMessage("The user is not percent-encoded well; allowed are % and two hexadecimal digits for each"
                        + " byte of valid UTF-8");
    }
}
