package io.holdfast.servers;

import io.holdfast.lock.tck.faults.ServerProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of {@link RedisSentinels}.
 *
 * @param servers the ports of the servers, the master's first
 * @param sentinels the ports of the sentinels
 * @param ofServers the password of the servers; empty for none
 * @param ofSentinels the password of the sentinels; empty for none
 * @param further further settings of the servers
 */
record SentinelConfig(
        List<Integer> servers, List<Integer> sentinels, String ofServers, String ofSentinels, List<String> further) {

    SentinelConfig {
        servers = List.copyOf(servers);
        sentinels = List.copyOf(sentinels);
        further = List.copyOf(further);
    }

    RedisServer server(int index) {
        List<String> words = new ArrayList<>(List.of("--repl-diskless-sync-delay", "0"));
        if (!ofServers.isEmpty()) {
            words.addAll(List.of("--requirepass", ofServers, "--masterauth", ofServers));
        }
        if (index > 0) {
            words.addAll(List.of("--replicaof", at(servers.get(0))));
        }
        words.addAll(further);
        return new RedisServer(List.of(servers.get(index)), words);
    }

    RedisServer sentinel(int index) {
        List<String> words = new ArrayList<>(List.of("--sentinel"));
        if (!ofSentinels.isEmpty()) {
            words.addAll(List.of("--requirepass", ofSentinels));
        }
        return new RedisServer(List.of(sentinels.get(index)), words, file(index));
    }

    /** Names the other sentinels and the replicas, so that nobody has to wait until they have found each other. */
    private List<String> file(int own) {
        List<String> lines = new ArrayList<>();
        lines.add("sentinel myid " + id(own));
        lines.add(monitor(servers.get(0)));
        lines.add(of("down-after-milliseconds", "1000"));
        lines.add(of("failover-timeout", "5000"));
        lines.add(of("parallel-syncs", "2"));
        if (!ofServers.isEmpty()) {
            lines.add(of("auth-pass", ofServers));
        }
        if (!ofSentinels.isEmpty()) {
            lines.add("sentinel sentinel-pass " + ofSentinels);
        }
        servers.subList(1, servers.size()).forEach(port -> lines.add(of("known-replica", at(port))));
        for (int i = 0; i < sentinels.size(); i++) {
            if (i != own) {
                lines.add(of("known-sentinel", at(sentinels.get(i)) + " " + id(i)));
            }
        }
        return lines;
    }

    /** The line by which a sentinel knows the master at a port. */
    static String monitor(int port) {
        return of("monitor", at(port) + " " + RedisSentinels.QUORUM);
    }

    private static String of(String setting, String value) {
        return "sentinel " + setting + " " + RedisSentinels.MASTER + " " + value;
    }

    private static String at(int port) {
        return ServerProcess.HOST + " " + port;
    }

    private static String id(int sentinel) {
        return Integer.toString(sentinel + 1).repeat(40);
    }
}
