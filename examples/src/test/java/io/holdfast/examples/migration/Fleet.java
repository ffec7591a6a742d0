package io.holdfast.examples.migration;

import static org.awaitility.Awaitility.await;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Processes that take locks, restarted one by one in another phase while the others go on. */
final class Fleet implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Longer than a pause of a busy machine, and what the others wait for a member that was killed. */
    private static final String LEASE = "5s";

    private final Evidence evidence;
    private final String from;
    private final String to;
    private final List<Member> members = new ArrayList<>();
    private int started;

    Fleet(Path directory, String from, String to) {
        this.evidence = new Evidence(directory);
        this.from = from;
        this.to = to;
    }

    private record Member(String name, ChildJvm process) {}

    /** The URI of a client in a phase. */
    String uri(Phase phase) {
        return "migrate:?from=" + encoded(from) + "&to=" + encoded(to) + "&phase="
                + phase.name().toLowerCase(Locale.ROOT) + "&lease=" + LEASE
                + (from.startsWith("jdbc:") ? "&from.createTable=true" : "");
    }

    private static String encoded(String uri) {
        return URLEncoder.encode(uri, StandardCharsets.UTF_8);
    }

    int size() {
        return members.size();
    }

    /** Adds a member and returns when it takes locks. */
    void add(String phase, String uri) {
        members.add(start(members.size(), phase, uri));
        awaitReady(members.size() - 1);
    }

    /** Restarts one member after the other in a phase. */
    void roll(Phase phase) {
        for (int place = 0; place < members.size(); place++) {
            end(place);
            members.set(place, start(place, phase.name(), uri(phase)));
            awaitReady(place);
        }
    }

    /** Kills a member that holds a lock, and starts another one in its place. */
    void replaceKilled(int place, Phase phase) throws IOException {
        Member victim = members.get(place);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(1)).until(() -> {
            victim.process().pause();
            boolean holds = evidence.isHeldBy(victim.name());
            if (!holds) {
                victim.process().resume();
            }
            return holds;
        });
        victim.process().kill();
        if (victim.process().awaitExit(BOUND).isEmpty()) {
            throw new IllegalStateException(victim.name() + " was killed, but has not ended");
        }
        evidence.endAllOf(victim.name());
        members.set(place, start(place, phase.name(), uri(phase)));
        awaitReady(place);
    }

    private Member start(int place, String phase, String uri) {
        String name = "member-" + place + "." + ++started;
        return new Member(
                name,
                ChildJvm.start(
                        FleetMember.class, evidence.directory().toString(), name, Integer.toString(place), phase, uri));
    }

    private void awaitReady(int place) {
        String unused = members.get(place).process().awaitLine(FleetMember.READY, BOUND);
    }

    private void end(int place) {
        ChildJvm process = members.get(place).process();
        process.send("stop");
        String unused = process.awaitLine(FleetMember.GONE, BOUND);
        process.close();
    }

    /** Lets all members end their work. */
    void end() {
        for (int place = 0; place < members.size(); place++) {
            end(place);
        }
    }

    /** Kills what still runs. */
    @Override
    public void close() {
        members.forEach(member -> member.process().close());
    }
}
