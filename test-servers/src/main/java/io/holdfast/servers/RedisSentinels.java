package io.holdfast.servers;

import io.holdfast.lock.tck.faults.FreePorts;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis master with two replicas, and three sentinels that make a replica the master when the master is away for a second. Not
 * thread-safe.
 */
public final class RedisSentinels implements FreePorts.Listening {

    /** The name that the sentinels know the master by. */
    public static final String MASTER = "mymaster";

    private static final int SIZE = 3;
    /** How many sentinels have to agree. */
    static final int QUORUM = 2;

    private static final Duration WITHIN = Duration.ofSeconds(60);

    /** A sentinel refuses a fail-over while no replica seems well or another goes on, and may give up one that it has begun. */
    private static final Duration FAIL_OVER_AGAIN = Duration.ofSeconds(1);

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels(SentinelConfig config) {
        for (int i = 0; i < SIZE; i++) {
            servers.add(config.server(i));
            sentinels.add(config.sentinel(i));
        }
    }

    /**
     * Starts all and waits until a fail-over would succeed.
     *
     * @param config further settings of the three servers, as of {@link RedisServer#start}
     * @return the servers and the sentinels
     */
    public static RedisSentinels start(String... config) {
        return start("", "", List.of(config));
    }

    /**
     * As {@link #start}, with passwords.
     *
     * @param ofServers the password of the servers
     * @param ofSentinels the password of the sentinels
     * @return the servers and the sentinels
     */
    public static RedisSentinels startWithPasswords(String ofServers, String ofSentinels) {
        return start(ofServers, ofSentinels, List.of());
    }

    /**
     * Starts a single sentinel that also speaks TLS, on the port of {@code --tls-port}. It names a server as the master by its
     * TLS port, and cannot have it replaced.
     *
     * @param master the server, started with TLS and without authentication of clients
     * @param certificate of both
     * @return the sentinel
     */
    public static RedisServer startOneWithTls(RedisServer master, SelfSignedCertificate certificate) {
        List<String> words = new ArrayList<>(List.of("--sentinel", "--tls-replication", "yes"));
        words.addAll(RedisServer.tls(certificate, "no"));
        List<String> file = List.of(SentinelConfig.monitor(master.port("--tls-port")));
        return FreePorts.start(2, ports -> new RedisServer(ports, words, file), RedisServer::launch);
    }

    private static RedisSentinels start(String ofServers, String ofSentinels, List<String> config) {
        return FreePorts.start(
                2 * SIZE,
                ports -> new RedisSentinels(new SentinelConfig(
                        ports.subList(0, SIZE), ports.subList(SIZE, 2 * SIZE), ofServers, ofSentinels, config)),
                RedisSentinels::launch);
    }

    private void launch() {
        all().forEach(RedisServer::begin);
        all().forEach(RedisServer::awaitReady);
        sentinels.forEach(
                sentinel -> sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "500", "PUBLISH-PERIOD", "300"));
        awaitWhole();
    }

    private Stream<RedisServer> all() {
        return Stream.concat(servers.stream(), sentinels.stream());
    }

    /** Waits until every server and every sentinel is up, and they agree on the master. */
    public void awaitWhole() {
        Polling.await(
                "all sentinels agree, and all replicas follow",
                WITHIN,
                () -> agreedMaster()
                        .filter(master -> servers.stream()
                                .allMatch(server -> server == master ? leadsAll(server) : follows(server, master)))
                        .filter(master -> sentinels.stream().allMatch(RedisSentinels::isReady))
                        .isPresent());
    }

    /** Waits for a write of its own: for up to a second a new replica counts as online, and is sent nothing. */
    private static boolean leadsAll(RedisServer server) {
        try (RespConnection writer = server.connect()) {
            writer.command("SET", "replicated", "");
            writer.command("DEL", "replicated");
            return writer.command("WAIT", Integer.toString(SIZE - 1), "100").equals(SIZE - 1L);
        }
    }

    private static boolean follows(RedisServer replica, RedisServer master) {
        String info = replica.command("INFO", "replication").toString();
        return info.contains("master_port:" + master.port()) && info.contains("master_link_status:up");
    }

    private static boolean isReady(RedisServer sentinel) {
        return sentinel.command("SENTINEL", "CKQUORUM", MASTER).toString().startsWith("OK " + SIZE);
    }

    /**
     * The servers: at first the master, then the replicas.
     *
     * @return all three, whether they run or not
     */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * The sentinels.
     *
     * @return all three, whether they run or not
     */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * Where the sentinels listen.
     *
     * @return {@code host:port,host:port,host:port}
     */
    public String addresses() {
        return sentinels.stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(Collectors.joining(","));
    }

    /**
     * The server that the sentinels call the master.
     *
     * @return the one that most of them name
     */
    public RedisServer master() {
        return agreedMaster().orElseThrow(() -> new IllegalStateException("The sentinels disagree: " + named()));
    }

    private Optional<RedisServer> agreedMaster() {
        List<String> named = named();
        return servers.stream()
                .filter(server -> named.stream()
                                .filter(Integer.toString(server.port())::equals)
                                .count()
                        >= QUORUM)
                .findFirst();
    }

    private List<String> named() {
        return sentinels.stream()
                .map(RedisSentinels::named)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> named(RedisServer sentinel) {
        try {
            return Optional.of(((List<?>) sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER))
                    .get(1)
                    .toString());
        } catch (UncheckedIOException away) {
            return Optional.empty();
        }
    }

    /**
     * Waits until another server is the master.
     *
     * @param former the master before
     * @return the present one
     */
    public RedisServer awaitMasterOtherThan(RedisServer former) {
        Polling.await("another master", WITHIN, () -> hasMasterOtherThan(former));
        return master();
    }

    private boolean hasMasterOtherThan(RedisServer former) {
        return agreedMaster()
                .filter(master -> master != former && role(master).equals("master"))
                .isPresent();
    }

    private static String role(RedisServer server) {
        return ((List<?>) server.command("ROLE")).get(0).toString();
    }

    /**
     * Has a replica made the master while the master is up.
     *
     * @return the new master
     */
    public RedisServer failOver() {
        RedisServer former = master();
        Polling.bringAbout(
                "another master at a sentinel's command",
                WITHIN,
                () -> hasMasterOtherThan(former),
                () -> orderFailOver(sentinels.get(0), former),
                FAIL_OVER_AGAIN);
        return master();
    }

    /** Not if the sentinel names the new master already, which would be replaced as well. */
    private static void orderFailOver(RedisServer sentinel, RedisServer former) {
        String port = Integer.toString(former.port());
        if (named(sentinel).filter(port::equals).isPresent()) {
            sentinel.command("SENTINEL", "FAILOVER", MASTER);
        }
    }

    @Override
    public void close() {
        all().forEach(RedisServer::close);
    }
}
