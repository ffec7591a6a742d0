package io.holdfast.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ServerAddress.Form;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {

    private static final Form FORM = new Form("Store", "store://[user[:password]@]host[:port]", 4711);

    private static ServerAddress of(String uri) {
        return ServerAddress.of(URI.create(uri), FORM);
    }

    @ParameterizedTest
    @CsvSource({
        "store://localhost, , , localhost, 4711, localhost:4711",
        "store://localhost/path?a=b, , , localhost, 4711, localhost:4711",
        "store://my_store:7000, , , my_store, 7000, my_store:7000",
        "store://a-b.Example:1?, , , a-b.Example, 1, a-b.Example:1",
        "store://10.0.0.1:65535, , , 10.0.0.1, 65535, 10.0.0.1:65535",
        "store://[::1], , , ::1, 4711, [::1]:4711",
        "store://[::1]:7000, , , ::1, 7000, [::1]:7000",
        "store://[fe80::1%25eth0]:7000, , , fe80::1%eth0, 7000, [fe80::1%eth0]:7000",
        "store://ann:secret@[::1], ann, secret, ::1, 4711, [::1]:4711",
        "store://@h, , , h, 4711, h:4711",
        "store://:@h, , , h, 4711, h:4711",
        "store://ann@h, ann, , h, 4711, h:4711",
        "store://:secret@h, , secret, h, 4711, h:4711",
        "store://ann:s%40c%2Fr%3Ae%25t+@h, ann, s@c/r:e%t+, h, 4711, h:4711",
        "store://a%3Ann:x@h, a:nn, x, h, 4711, h:4711",
        "STORE://ann:a:b@h:1, ann, a:b, h, 1, h:1",
    })
    void readsAnAuthorityAndShowsItWithoutUserAndPassword(
            String uri, String user, String password, String host, int port, String shown) {
        ServerAddress address = of(uri);

        assertThat(address)
                .isEqualTo(new ServerAddress(Optional.ofNullable(user), Optional.ofNullable(password), host, port))
                .hasToString(shown);
    }

    @Test
    void severalServersHaveTheSameUser() {
        assertThat(ServerAddress.all(URI.create("store://ann:s%2Cecret@a,b_c:7000,10.0.0.1/path"), FORM))
                .containsExactly(
                        new ServerAddress(Optional.of("ann"), Optional.of("s,ecret"), "a", 4711),
                        new ServerAddress(Optional.of("ann"), Optional.of("s,ecret"), "b_c", 7000),
                        new ServerAddress(Optional.of("ann"), Optional.of("s,ecret"), "10.0.0.1", 4711));
        assertThat(ServerAddress.all(URI.create("store://[::1]:7000"), FORM)).hasToString("[[::1]:7000]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store://a,,b | The Store URI has no host; allowed is store://",
                "store://a, | The Store URI has no host",
                "store://a,b:0 | The port of the Store URI is '0'; allowed are whole numbers from 1 to 65535",
                "store://a,b;c | The host of the Store URI is 'b;c'",
            })
    void eachOfSeveralServersIsChecked(String uri, String message) {
        assertThatThrownBy(() -> ServerAddress.all(URI.create(uri), FORM))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void parametersReplaceUserAndPasswordOfTheUri() {
        ServerAddress address = of("store://ann:wrong@h");

        assertThat(address.withLogin(ConnectionParameters.of("", Map.of()))).isEqualTo(address);
        assertThat(address.withLogin(ConnectionParameters.of("user=bob&password=right", Map.of())))
                .isEqualTo(of("store://bob:right@h"));
        assertThat(of("store://h").withLogin(ConnectionParameters.of("password=right", Map.of())))
                .isEqualTo(of("store://:right@h"));
        assertThatThrownBy(() -> of("store://topsecret@h").withLogin(ConnectionParameters.of("", Map.of())))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The user has no password; allowed are user:password@host, :password@host without a user,"
                        + " or the property 'password'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store:localhost | The Store URI has no host; allowed is store://[user[:password]@]host[:port]",
                "store:///3 | The Store URI has no host",
                "store://:topsecret@ | The Store URI has no host",
                "store://:7000 | The Store URI has no host",
                "store://h:0 | The port of the Store URI is '0'; allowed are whole numbers from 1 to 65535",
                "store://h:65536 | The port of the Store URI is '65536'; allowed",
                "store://[::1]:0 | The port of the Store URI is '0'; allowed",
                "store://h:seven | The port of the Store URI has to be a whole number from 1 to 65535",
                "store://h: | special characters in a password have to be percent-encoded",
                "store://h:-1 | The port of the Store URI has to be a whole number",
                "store://h:9999999999 | The port of the Store URI has to be a whole number",
                "store://[::1]: | The port of the Store URI has to be a whole number",
                "store://a:1,b | The port of the Store URI has to be a whole number",
                "store://::1 | an IPv6 address stands in brackets, as in [::1]:4711",
                "store://fe80::1:6379 | an IPv6 address stands in brackets",
                "store://a:1,b:2 | there is one host; allowed is store://[user[:password]@]host[:port]",
                "store://a,b:1 | The host of the Store URI is 'a,b'; allowed is one host",
                "store://a;b | The host of the Store URI is 'a;b'; allowed is one host",
                "store://a*b | The host of the Store URI is 'a*b'; allowed is one host",
                "store://h%41 | The host of the Store URI is 'h%41'; allowed is one host",
                "store://hôte | The host of the Store URI is 'hôte'; allowed is one host",
                "store://ann%ff:pw@h | The user of the Store URI is not percent-encoded well",
                "store://ann:pw%ff@h | The password of the Store URI is not percent-encoded well",
                "store://h#x | The Store URI has a fragment (#)",
                "store://ann:x/y@h | The Store URI has an @ that does not stand before its host",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> of(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store://:topsecret@h:x",
                "store://ann:topsecret@/1",
                "store://ann:topsecret?x@h",
                "store://ann:x?topsecret@h",
                "store://ann:7?topsecret@h",
                "store://ann:7/topsecret@h",
                "store://ann:7#topsecret@h",
                "store://topsecret,x/y@h",
                "store://topsecret/y@h",
                "store://ann:7/1?topsecret=@h",
                "store://ann:topsecret/x",
                "store://ann:topsecret",
                "store://ann:topsecret:1",
                "store://ann:topsecret%ff@h",
                "store://topsecret%ff@h",
            })
    void neverRepeatsAPassword(String uri) {
        assertThatThrownBy(() -> of(uri))
                .isInstanceOf(LockConfigurationException.class)
                .satisfies(failure -> {
                    for (Throwable each = failure; each != null; each = each.getCause()) {
                        assertThat(each.toString()).doesNotContain("topsecret");
                    }
                });
    }

    @Test
    void aNumberOfTheBackendsOwnIsReadAsThePortIs() {
        assertThat(FORM.number("shelf", "0", 0, 15)).isZero();
        assertThat(FORM.number("shelf", "15", 0, 15)).isEqualTo(15);
        assertThatThrownBy(() -> FORM.number("shelf", "16", 0, 15))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The shelf of the Store URI is '16'; allowed are whole numbers from 0 to 15");
        for (String none : new String[] {"", "abc", "-1", "1/", "1234567890", "٣"}) {
            assertThatThrownBy(() -> FORM.number("shelf", none, 0, 15))
                    .hasMessage("The shelf of the Store URI is '" + none + "'; allowed are whole numbers from 0 to 15");
        }
    }

    @Test
    void anAddressThatNobodyCouldConnectToIsRefused() {
        assertThatThrownBy(() -> new ServerAddress(Optional.empty(), Optional.empty(), "", 1))
                .isInstanceOf(LockConfigurationException.class);
        for (int port : new int[] {-1, 0, 65_536}) {
            assertThatThrownBy(() -> new ServerAddress(Optional.empty(), Optional.of("topsecret"), "h", port))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("the port " + port)
                    .hasMessageNotContaining("topsecret");
        }
    }
}
