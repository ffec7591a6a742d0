package io.holdfast.lock.tck.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a store that is one server, and of the way to it, for one harness. Its providers connect to {@link #host} and
 * {@link #port}.
 *
 * <p>Until a fault is asked for, the way leads straight to a server that may be shared. A fault of the network puts a proxy
 * there, and a fault of the server a server of the harness alone, which starts when its address is asked for.
 */
public final class ServerFaults implements Faults, AutoCloseable {

    /** Of a process of an operating system, whose clock all its processes share. */
    static final String NO_CLOCK = "a server process reads the clock of the machine, which no test may set";

    private final Map<String, String> absences = new ConcurrentHashMap<>(Map.of("clockStep", NO_CLOCK));
    private final String sharedHost;
    private final int sharedPort;
    private @Nullable Supplier<? extends StoreServer> makeOwn;
    private @Nullable Predicate<String> losesRepliesTo;
    private boolean stalls;
    private boolean holdsRequests;
    private boolean losesData;
    private List<String> refusals = List.of();
    private @Nullable Function<Duration, Fault> clockStep;
    private boolean needsOwn;
    private boolean needsProxy;
    private @Nullable StoreServer own;
    private @Nullable ServerGate gate;

    /**
     * Creates the faults of every network, for one harness; nothing is started.
     *
     * @param sharedHost the address of the server that is used until a fault needs another one
     * @param sharedPort its port
     */
    public ServerFaults(String sharedHost, int sharedPort) {
        this.sharedHost = sharedHost;
        this.sharedPort = sharedPort;
    }

    /**
     * Adds the loss of replies.
     *
     * @param to which requests lose theirs, see {@link TcpProxy#loseReplies}: those that change something
     * @return this
     */
    public ServerFaults losingReplies(Predicate<String> to) {
        losesRepliesTo = to;
        return this;
    }

    /**
     * Adds a connection that hangs, for providers with several.
     *
     * @return this
     */
    public ServerFaults stallingConnections() {
        stalls = true;
        return this;
    }

    /**
     * Adds pauses of a server which nobody may stop: a proxy holds the requests to it meanwhile. They take the place of those of
     * {@link #withServer}.
     *
     * @return this
     */
    public ServerFaults holdingRequests() {
        holdsRequests = true;
        return this;
    }

    /**
     * Adds pauses and crashes of the server.
     *
     * @param start starts a server for this harness alone, which keeps its data when it is killed
     * @return this
     */
    public ServerFaults withServer(Supplier<? extends StoreServer> start) {
        makeOwn = start;
        return this;
    }

    /**
     * Adds the loss of the data of the server of {@link #withServer}; without one it is not offered.
     *
     * @return this
     */
    public ServerFaults losingData() {
        losesData = true;
        return this;
    }

    /**
     * Adds answers with errors by the server of {@link #withServer}, which must override {@link StoreServer#refuseChanges};
     * without one they are not offered.
     *
     * @param kinds of errors, by the names that the server knows
     * @return this
     */
    public ServerFaults refusingChanges(String... kinds) {
        refusals = List.of(kinds);
        return this;
    }

    /**
     * Adds steps of the store's clock, where a test can set the clock that the providers of this harness alone go by: unlike
     * {@link #withServer}, this starts no server.
     *
     * @param step makes the fault of a step, before any provider is opened
     * @return this
     */
    public ServerFaults steppingClock(Function<Duration, Fault> step) {
        clockStep = step;
        return this;
    }

    /**
     * Says why a fault is not offered, for the report.
     *
     * @param fault the name of its method, such as {@code crash}
     * @param because the end of the sentence "skipped, as ..."
     * @return this
     */
    public ServerFaults without(String fault, String because) {
        absences.put(fault, because);
        return this;
    }

    @Override
    public Optional<String> absence(String fault) {
        return Optional.ofNullable(absences.get(fault));
    }

    /**
     * The address to connect to.
     *
     * @return the address
     */
    public String host() {
        return way().host();
    }

    /**
     * The port to connect to.
     *
     * @return the port
     */
    public int port() {
        return way().port();
    }

    /**
     * The port of the server itself, for an operator, whom no fault of the network reaches.
     *
     * @return the port
     */
    public int serverPort() {
        return needsOwn ? server().port() : sharedPort;
    }

    private synchronized ServerGate way() {
        ServerGate made = gate;
        if (made == null) {
            made = needsOwn ? new ServerGate(server().host(), server().port()) : new ServerGate(sharedHost, sharedPort);
            gate = made;
        }
        if (needsProxy) {
            made.proxy();
        }
        return made;
    }

    private synchronized StoreServer server() {
        StoreServer made = own;
        if (made == null) {
            made = Objects.requireNonNull(makeOwn, "no server was named").get();
            own = made;
        }
        return made;
    }

    /** A fault of the network, which is made when it begins: only then it is certain which server is meant. */
    private Fault ofNetwork(Function<ServerGate, Fault> fault) {
        needsProxy = true;
        return new Fault(
                () -> fault.apply(way()).begin().run(),
                () -> fault.apply(way()).end().run());
    }

    private Optional<Fault> ofServer(boolean offered, Function<StoreServer, Fault> fault) {
        if (!offered) {
            return Optional.empty();
        }
        needsOwn = true;
        return Optional.of(new Fault(
                () -> fault.apply(server()).begin().run(),
                () -> fault.apply(server()).end().run()));
    }

    @Override
    public Optional<Fault> outage() {
        return Optional.of(ofNetwork(ServerGate::outage));
    }

    @Override
    public Optional<Fault> lostReplies() {
        Predicate<String> to = losesRepliesTo;
        return to == null ? Optional.empty() : Optional.of(ofNetwork(way -> way.lostReplies(to)));
    }

    @Override
    public Optional<LostReply> lostReply() {
        Predicate<String> to = losesRepliesTo;
        if (to == null) {
            return Optional.empty();
        }
        AtomicBoolean lost = new AtomicBoolean();
        Fault fault = ofNetwork(way -> way.lostReplies(request -> to.test(request) && lost.compareAndSet(false, true)));
        return Optional.of(new LostReply(fault, lost::get));
    }

    @Override
    public Optional<Fault> stalledConnection() {
        return stalls ? Optional.of(ofNetwork(ServerGate::stalledConnection)) : Optional.empty();
    }

    @Override
    public Optional<Function<Duration, Fault>> slowNetwork() {
        needsProxy = true;
        return Optional.of(delay -> ofNetwork(way -> way.slowNetwork(delay)));
    }

    @Override
    public Optional<Function<Duration, Fault>> clockStep() {
        return Optional.ofNullable(clockStep);
    }

    /** Refuses new connections in the proxy, which a client cannot tell from a server that has too many. */
    @Override
    public Optional<Fault> exhaustion() {
        return Optional.of(ofNetwork(ServerGate::exhaustion));
    }

    @Override
    public Optional<Fault> pause() {
        if (holdsRequests) {
            return Optional.of(ofNetwork(ServerGate::heldRequests));
        }
        return ofServer(makeOwn != null, server -> new Fault(server::pause, server::resume));
    }

    @Override
    public Optional<Fault> crash() {
        return ofServer(makeOwn != null, server -> new Fault(server::kill, server::restart));
    }

    @Override
    public List<Fault> errorReplies() {
        return refusals.stream()
                .flatMap(kind -> ofServer(makeOwn != null, server -> refusal(server, kind)).stream())
                .toList();
    }

    private static Fault refusal(StoreServer server, String kind) {
        return new Fault(() -> server.refuseChanges(kind), () -> server.takeChanges(kind));
    }

    @Override
    public Optional<Fault> dataLoss() {
        return ofServer(losesData && makeOwn != null, server -> new Fault(server::kill, server::restartWithoutData));
    }

    /** Closes the proxy and the server of the harness, if there are any. */
    @Override
    public synchronized void close() {
        if (gate != null) {
            gate.close();
        }
        if (own != null) {
            own.close();
        }
    }
}
