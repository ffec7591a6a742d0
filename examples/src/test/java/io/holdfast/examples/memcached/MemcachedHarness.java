package io.holdfast.examples.memcached;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ServerAddress;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the kit needs to know of a memcached server. */
final class MemcachedHarness implements LockHarness {

    private static final String PREFIX = "tck:";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final RunningMemcached server;
    private @Nullable TcpProxy proxy;

    MemcachedHarness(RunningMemcached server) {
        this.server = server;
    }

    @Override
    public synchronized LockProvider open() {
        return new MemcachedProvider(proxy == null ? server.address() : address(proxy), PREFIX, TIMEOUT);
    }

    /** The lease is rounded up to whole seconds, and three are added; the rest is room for a busy server. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ofMillis(4500);
    }

    @Override
    public Optional<String> uri() {
        return Optional.of("memcached://" + server.address() + "?prefix=" + PREFIX);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            try (MemcachedConsole console = MemcachedConsole.of(server);
                    MemcachedProvider keys = new MemcachedProvider(server.address(), PREFIX, TIMEOUT)) {
                console.say("delete " + keys.key(name));
            }
        });
    }

    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public Optional<String> absence(String fault) {
                return Optional.of("the harness of this example has an outage alone");
            }

            @Override
            public Optional<Fault> outage() {
                return Optional.of(MemcachedHarness.this.cutOff());
            }
        };
    }

    private synchronized Fault cutOff() {
        TcpProxy between = proxy == null ? TcpProxy.to(server.address().host(), server.port()) : proxy;
        proxy = between;
        return new Fault(
                () -> {
                    between.refuse();
                    between.reset();
                },
                between::accept);
    }

    @Override
    public List<String> versions() {
        return List.of(server.version());
    }

    @Override
    public synchronized void close() {
        if (proxy != null) {
            proxy.close();
        }
    }

    private static ServerAddress address(TcpProxy proxy) {
        return new ServerAddress(Optional.empty(), Optional.empty(), "127.0.0.1", proxy.port());
    }
}
