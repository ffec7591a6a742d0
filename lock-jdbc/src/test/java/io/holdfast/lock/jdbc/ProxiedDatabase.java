package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.faults.TcpProxy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy before the server of a database, by which connections can be cut and slowed down.
 *
 * @param url the database through the proxy
 * @param proxy the proxy
 */
record ProxiedDatabase(String url, TcpProxy proxy) implements AutoCloseable {

    private static final Pattern SERVER = Pattern.compile("//([a-z0-9.]+):([0-9]+)/");

    static ProxiedDatabase of(String direct) {
        Matcher server = SERVER.matcher(direct);
        assertThat(server.find()).as(direct).isTrue();
        TcpProxy proxy = TcpProxy.to(server.group(1), Integer.parseInt(server.group(2)));
        return new ProxiedDatabase(server.replaceFirst("//$1:" + proxy.port() + "/"), proxy);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
