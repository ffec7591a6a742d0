package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.MortalProvider;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;

/** What the kit needs to know of a provider with textbook's nodes. All share one server; each has a root of its own. */
final class TextbookHarness implements LockHarness {

    private final Opening opening;
    private final Death death;
    private final String root = "/wrong-" + UUID.randomUUID();
    private final List<TcpProxy> doors = new CopyOnWriteArrayList<>();

    private TextbookHarness(Opening opening, Death death) {
        this.opening = opening;
        this.death = death;
    }

    /** The server of all harnesses, which ends with the JVM. */
    private static final class Site {
        static final ZooKeeperServer SERVER = ZooKeeperServer.start();
        static final Connection OPERATOR = new Connection(address(SERVER.port()), Duration.ofMinutes(1));

        private static String address(int port) {
            return SERVER.host() + ":" + port;
        }
    }

    static LockHarness of(Opening opening) {
        return of(opening, asksForClients() ? Death.AFTER_ITS_GRANT : Death.AFTER_ITS_FIRST_ATTEMPT);
    }

    static LockHarness of(Opening opening, Death death) {
        return new TextbookHarness(opening, death);
    }

    /** The levels of the kit need different deaths, and do not say which of them asks. */
    private static boolean asksForClients() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("$OfClient")));
    }

    @Override
    public LockProvider open() {
        TcpProxy proxy = TcpProxy.to(Site.SERVER.host(), Site.SERVER.port());
        doors.add(proxy);
        return new MortalProvider(provider(proxy.port()), proxy, lease(), death);
    }

    private TextbookProvider provider(int port) {
        return opening.open(Site.address(port), root);
    }

    /** The time-out of the session, which takes the place of every lease. */
    @Override
    public Duration lease() {
        return Connection.SESSION;
    }

    /** The server ends a session at most a tick late, which is 100 ms; the rest is for a busy server. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ofMillis(2_500);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(this::remove);
    }

    /** Deletes the first node in the right order, whatever order the provider has. */
    private void remove(String name) {
        TextbookProvider nodes = provider(Site.SERVER.port());
        TextbookSession session = Site.OPERATOR.connected("removal");
        String lock = nodes.lockPath(name);
        try {
            Optional<String> first = session.children(lock).stream()
                    .filter(child -> nodes.isClaim(name, child))
                    .min(TextbookProvider.BY_NUMBER);
            if (first.isPresent()) {
                boolean unused = session.delete(lock + "/" + first.get());
            }
        } catch (KeeperException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        doors.forEach(door -> Connection.closeLeft(Site.address(door.port())));
    }

    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public Optional<Fault> outage() {
                return Optional.of(toAllDoors(
                        door -> {
                            door.refuse();
                            door.reset();
                        },
                        TcpProxy::accept));
            }

            /** Only to what changes something: a client that hears nothing at all soon has no session. */
            @Override
            public Optional<Fault> lostReplies() {
                return Optional.of(
                        toAllDoors(door -> door.loseReplies(new WriteRequests(Site.OPERATOR)), TcpProxy::keepReplies));
            }

            @Override
            public Optional<Consumer<LockProvider>> sessionEnd() {
                return Faults.ofSessionEnd(lease().plus(expiryTolerance())).sessionEnd();
            }
        };
    }

    private Fault toAllDoors(Consumer<TcpProxy> begin, Consumer<TcpProxy> end) {
        return new Fault(() -> doors.forEach(begin), () -> doors.forEach(end));
    }
}
