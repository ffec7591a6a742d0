package io.holdfast.lock.tck.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://localhost:6379 | localhost | 6379 | redis://127.0.0.1:1",
                "redis://u:p%40q@store:6379/3?layout=hash | store | 6379 | redis://u:p%40q@127.0.0.1:1/3?layout=hash",
                "jdbc:postgresql://db:5432/locks?user=me | db | 5432 | jdbc:postgresql://127.0.0.1:1/locks?user=me",
                "jdbc:sqlserver://db:1433;databaseName=x | db | 1433 | jdbc:sqlserver://127.0.0.1:1;databaseName=x",
                "jdbc:oracle:thin:@//db:1521/x | db | 1521 | jdbc:oracle:thin:@//127.0.0.1:1/x",
                "zookeeper://[::1]:2181/base | ::1 | 2181 | zookeeper://127.0.0.1:1/base"
            })
    void theOneAddressIsFoundAndReplaced(String uri, String host, int port, String through) {
        Address address = Address.in(uri).orElseThrow();

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.uriAt("127.0.0.1", 1)).isEqualTo(through);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://localhost | names no port",
                "redlock://a:1,b:2,c:3 | names several addresses",
                "jdbc:mariadb://address=(host=a)(port=1)/x | names no port",
                "migrate:?from=redis://a:1&to=redis://b:2 | names no host",
                "memory:x | names no host"
            })
    void thereIsNoneAndTheReasonIsTold(String uri, String reason) {
        assertThat(Address.in(uri)).isEmpty();
        assertThat(Address.absence(uri)).contains(reason);
    }

    @Test
    void noPasswordIsShown() {
        assertThat(Address.shown("redis://u:secret@host:1/2?password=secret")).isEqualTo("redis://host:1/2");
        assertThat(Address.shown("redis://u:sec/secret@host:1")).isEqualTo("redis://host:1");
        assertThat(Address.shown("redis://u:sec?secret@host:1")).isEqualTo("redis://host:1");
        assertThat(Address.shown("jdbc:sqlserver://host:1;password=secret")).isEqualTo("jdbc:sqlserver://host:1");
        assertThat(Address.shown("memory:x")).isEqualTo("memory:x");
    }
}
