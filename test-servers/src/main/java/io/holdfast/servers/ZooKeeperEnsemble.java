package io.holdfast.servers;

import io.holdfast.lock.tck.faults.FreePorts;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real ZooKeeper ensemble of three {@link ZooKeeperServer servers}, whose links among each other can be made to fail. Not
 * thread-safe.
 *
 * <p>A member that hears nothing of the others gives up after 5 seconds, and ends the connections of its clients then.
 */
public final class ZooKeeperEnsemble implements FreePorts.Listening {

    private static final int SIZE = 3;
    /** The ports of each member: for clients, for followers and for elections. */
    private static final int PORTS = 3;

    /** Followers may connect to an elected member before it listens; without patience they would retry much later. */
    private static final Duration LEADER_LISTENS_WITHIN = Duration.ofSeconds(1);

    private static final Duration ELECTED_WITHIN = Duration.ofSeconds(60);

    private final List<ZooKeeperServer> members = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    /** Members that were isolated or disconnected, and have not rejoined. */
    private final Set<ZooKeeperServer> cutOff = new HashSet<>();

    /** The way on which one member's state reaches the others: each connects to the leader's port for followers. */
    private record Link(int from, int to, TcpProxy proxy) {

        boolean touches(int member) {
            return from == member || to == member;
        }
    }

    private ZooKeeperEnsemble(List<Integer> ports) {
        List<Integer> forFollowers = ports.subList(SIZE, 2 * SIZE);
        List<Integer> forElections = ports.subList(2 * SIZE, 3 * SIZE);
        for (int from = 0; from < SIZE; from++) {
            List<String> config = new ArrayList<>(List.of("initLimit=100", "syncLimit=100"));
            for (int to = 0; to < SIZE; to++) {
                int port = forFollowers.get(to);
                if (from != to) {
                    TcpProxy proxy = TcpProxy.waitingFor(ZooKeeperServer.HOST, port, LEADER_LISTENS_WITHIN);
                    links.add(new Link(from, to, proxy));
                    port = proxy.port();
                }
                config.add("server." + (to + 1) + "=" + ZooKeeperServer.HOST + ":" + port + ":" + forElections.get(to));
            }
            members.add(ZooKeeperServer.member(from + 1, ports.get(from), config));
        }
    }

    /**
     * Starts an ensemble and waits until all its members serve.
     *
     * @return the ensemble
     */
    public static ZooKeeperEnsemble start() {
        return FreePorts.start(PORTS * SIZE, ZooKeeperEnsemble::new, ZooKeeperEnsemble::launch);
    }

    private void launch() {
        members.forEach(ZooKeeperServer::launch);
        members.forEach(ZooKeeperServer::awaitServing);
    }

    /**
     * The servers.
     *
     * @return all three, whether they run or not
     */
    public List<ZooKeeperServer> members() {
        return List.copyOf(members);
    }

    /**
     * Where clients connect to.
     *
     * @return {@code host:port,host:port,host:port}
     */
    public String connectionString() {
        return members.stream()
                .map(member -> member.host() + ":" + member.port())
                .collect(Collectors.joining(","));
    }

    /**
     * The member that leads, or will when the election is over. A member that was cut off may believe so for a while, too.
     *
     * @return the leader
     */
    public ZooKeeperServer leader() {
        long deadline = System.nanoTime() + ELECTED_WITHIN.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Optional<ZooKeeperServer> leader = members.stream()
                    .filter(member -> member.mode().equals(Optional.of("leader")))
                    .findFirst();
            if (leader.isPresent()) {
                return leader.get();
            }
            Thread.onSpinWait();
        }
        throw new IllegalStateException("No member leads within " + ELECTED_WITHIN);
    }

    /**
     * A member that follows.
     *
     * @return one of the followers
     */
    public ZooKeeperServer follower() {
        ZooKeeperServer leader = leader();
        return members.stream().filter(member -> member != leader).findFirst().orElseThrow();
    }

    /**
     * Drops all data between a member and the others. They notice only by the silence, after ten seconds; until then the member
     * goes on to answer its clients.
     *
     * @param member one of the members
     */
    public void isolate(ZooKeeperServer member) {
        cutOff.add(member);
        eachLinkOf(member, proxy -> Stream.of(Direction.values()).forEach(proxy::swallow));
    }

    /**
     * Breaks the connections between a member and the others, and prevents new ones. They notice at once.
     *
     * @param member one of the members
     */
    public void disconnect(ZooKeeperServer member) {
        cutOff.add(member);
        eachLinkOf(member, proxy -> {
            proxy.refuse();
            proxy.reset();
        });
    }

    /**
     * Delays what the leader sends to a member: the member falls behind until it {@link #catchUp catches up}. It notices after 5
     * seconds.
     *
     * @param follower a member that follows
     */
    public void holdBack(ZooKeeperServer follower) {
        eachWayFrom(follower, proxy -> proxy.hold(Direction.REPLIES));
    }

    /**
     * Delivers all delayed data to a member.
     *
     * @param follower a member that was held back
     */
    public void catchUp(ZooKeeperServer follower) {
        eachWayFrom(follower, proxy -> proxy.pass(Direction.REPLIES));
    }

    private void eachWayFrom(ZooKeeperServer member, Consumer<TcpProxy> action) {
        int number = members.indexOf(member);
        links.stream().filter(link -> link.from() == number).map(Link::proxy).forEach(action);
    }

    /**
     * Reconnects a member and the others, and waits until all that lost a connection have made another one: no member goes on as
     * what it was before the cut. Ends no connection of a member that is not cut off.
     *
     * @param member one of the members
     */
    public void rejoin(ZooKeeperServer member) {
        boolean wasCutOff = cutOff.remove(member);
        eachLinkOf(member, proxy -> {
            Stream.of(Direction.values()).forEach(proxy::pass);
            if (wasCutOff) {
                // The streams lack the swallowed data.
                proxy.reset();
                proxy.accept();
            }
        });
        if (wasCutOff) {
            // A member may notice late that a connection was reset: a child that this JVM starts
            // just then has a copy of the socket.
            Polling.await(
                    "connections of two members to the third",
                    ELECTED_WITHIN,
                    () -> IntStream.range(0, SIZE).anyMatch(this::isJoined));
        }
    }

    /** Whether the others have connected to a member, which leads them or soon will. */
    private boolean isJoined(int member) {
        return links.stream()
                .filter(link -> link.to() == member)
                .allMatch(link -> link.proxy().open() > 0);
    }

    private void eachLinkOf(ZooKeeperServer member, Consumer<TcpProxy> action) {
        int number = members.indexOf(member);
        links.stream().filter(link -> link.touches(number)).map(Link::proxy).forEach(action);
    }

    @Override
    public void close() {
        members.forEach(ZooKeeperServer::close);
        links.forEach(link -> link.proxy().close());
    }
}
