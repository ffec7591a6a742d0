package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Another process that looks for a free port must not get that of a proxy that refuses connections for a while. */
class KeptPortTest {

    private final InetAddress here = InetAddress.getLoopbackAddress();

    @Test
    void aProxyThatRefusesConnectionsKeepsItsPort() throws IOException {
        try (ServerSocket target = FreePorts.listen();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", target.getLocalPort());
                ServerSocket other = new ServerSocket()) {
            proxy.refuse();

            assertThatThrownBy(() -> new Socket(here, proxy.port())).isInstanceOf(ConnectException.class);
            other.setReuseAddress(false);
            assertThatThrownBy(() -> other.bind(new InetSocketAddress(here, proxy.port())))
                    .isInstanceOf(BindException.class);

            proxy.accept();
            try (Socket client = new Socket(here, proxy.port())) {
                assertThat(client.isConnected()).isTrue();
            }
        }
    }

    /** The end of a fault accepts connections again, also those of a provider that was closed during it. */
    @Test
    void aClosedProxyKeepsNoPortAndListensNoMore() throws IOException {
        TcpProxy proxy = TcpProxy.to("127.0.0.1", 1);
        proxy.refuse();
        proxy.close();
        proxy.accept();

        try (ServerSocket other = FreePorts.listen(proxy.port())) {
            assertThat(other.isBound()).isTrue();
        }
    }
}
