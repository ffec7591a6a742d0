package io.holdfast.lock.redis;

import io.holdfast.lock.redis.QuorumOutcome.Contended;
import io.holdfast.lock.redis.QuorumOutcome.Granted;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * A client in a simulation: acquires, holds, renews, releases or dies, again and again. It believes that it has the lock from the
 * answer to its deadline, as the engine does.
 */
final class SimulatedClient {

    private static final long SHORTEST_PAUSE = 5_000;
    private static final long LONGEST_PAUSE = 1_000_000;
    private static final double RENEWS = 0.5;
    private static final double REPEATS = 0.1;
    private static final double DIES = 0.15;
    private static final int LEASES_HELD = 3;

    final String name;
    private final Simulation world;
    private final double rate;
    private final List<SimulatedLink> links;
    private final TokenProposals proposals = new TokenProposals(this::clock);
    private int claims;
    private ClaimIds ids;
    private String id = "";
    private boolean holding;
    private boolean renewing;
    /** The engine makes one call of a claim after the other. */
    private boolean asking;

    private long token;
    private long deadline;
    private long pausedUntil;
    /** What was begun in an earlier life, or for an earlier hold, does nothing any more. */
    private int life;

    SimulatedClient(String name, Simulation world, double rate, List<SimulatedNode> nodes) {
        this.name = name;
        this.world = world;
        this.rate = rate;
        this.links =
                nodes.stream().map(node -> new SimulatedLink(world, this, node)).toList();
    }

    List<SimulatedLink> links() {
        return links;
    }

    long clock() {
        return (long) (world.time.now() * rate);
    }

    boolean believes() {
        return holding && clock() < deadline;
    }

    void seen(long nodeMicros) {
        proposals.seen(nodeMicros);
    }

    void pauseFor(long micros) {
        world.trace(() -> name + " is paused for " + micros + " us");
        pausedUntil = world.time.now() + micros;
    }

    /** Runs what comes from outside, when the client is not paused. */
    void receive(Runnable action) {
        if (world.time.now() < pausedUntil) {
            world.time.after(pausedUntil - world.time.now(), () -> receive(action));
        } else {
            action.run();
        }
    }

    /** Runs something after a time of this client's clock. */
    void after(long micros, Runnable action) {
        int current = life;
        world.time.after(
                (long) Math.ceil(micros / rate),
                () -> receive(() -> {
                    if (life == current) {
                        action.run();
                    }
                }));
    }

    void begin() {
        life++;
        asking = false;
        claims++;
        ids = new ClaimIds(name + "-claim" + claims);
        after(SHORTEST_PAUSE + world.random(LONGEST_PAUSE), this::attempt);
    }

    private void attempt() {
        long sentAt = clock();
        long floor = world.highestToken();
        OptionalLong earlier = ids.token();
        id = world.protocol() == Protocol.REDLOCK ? ids.forAttempt() : name + "-claim" + claims;
        int current = life;
        asking = true;
        world.trace(() -> name + " asks for a grant of " + id);
        new SimulatedAttempt(world, this, id, earlier, outcome -> {
                    if (life == current) {
                        ended(outcome, sentAt, floor, earlier);
                    }
                })
                .run(world.protocol() == Protocol.REDLOCK ? proposals.next() : 0);
    }

    private void ended(QuorumOutcome outcome, long sentAt, long floor, OptionalLong earlier) {
        world.trace(() -> name + ": " + id + " ends as " + outcome);
        asking = false;
        ids.ended(outcome);
        if (outcome instanceof Granted granted) {
            long until = from(sentAt) + world.validFor();
            if (clock() >= until) {
                leave("was granted too late");
            } else {
                hold(granted.token(), until, floor, earlier);
            }
        } else if (outcome instanceof Contended && !holding) {
            after(SHORTEST_PAUSE + world.random(LONGEST_PAUSE), this::attempt);
        } else if (outcome instanceof Contended || !holding) {
            leave("gives up");
        }
    }

    private long from(long sentAt) {
        return world.rests(Assumption.COUNTED_FROM_REQUEST) ? sentAt : clock();
    }

    private void hold(long given, long until, long floor, OptionalLong earlier) {
        boolean first = !holding;
        token = given;
        deadline = first ? until : Math.max(deadline, until);
        holding = true;
        world.trace(() -> name + " HOLDS with token " + token + " for " + (deadline - clock()) + " us of its clock");
        world.granted(this, token, floor, earlier);
        if (first) {
            renewing = world.chance(RENEWS);
            after(world.random(LEASES_HELD * world.leaseMicros()), this::finish);
            after(world.leaseMicros() / 3, this::keep);
        }
    }

    /** Renews, or repeats the granted attempt, or neither. */
    private void keep() {
        if (clock() >= deadline) {
            leave("has lost the lock");
            return;
        }
        boolean repeating = world.protocol() == Protocol.REDLOCK && world.chance(REPEATS);
        if (repeating && !asking) {
            attempt();
        } else if (renewing && !asking) {
            renew();
        }
        after(world.leaseMicros() / 3, this::keep);
    }

    private void renew() {
        long sentAt = clock();
        Tally tally = new Tally(links.size(), new BitSet());
        int current = life;
        boolean[] ended = new boolean[1];
        Runnable look = () -> {
            if (!ended[0] && tally.isDecided()) {
                ended[0] = true;
                if (life == current && tally.isNo()) {
                    leave("has lost the lock");
                } else if (life == current && tally.isYes() && believes()) {
                    deadline = Math.max(deadline, from(sentAt) + world.validFor());
                    world.trace(() -> name + " HOLDS for " + (deadline - clock()) + " us more");
                    world.requireOneHolder();
                }
            }
        };
        after(world.timeout(), () -> ended[0] = true);
        String renewed = id;
        for (int node = 0; node < links.size(); node++) {
            int asked = node;
            SimulatedLink link = links.get(node);
            link.send(
                    false,
                    "renewal by " + renewed,
                    store -> store.renew(link.node.clock(), renewed, world.leaseMillis()),
                    inForce -> {
                        tally.answered(asked, inForce);
                        look.run();
                    },
                    () -> {
                        tally.failed(world.noAnswer);
                        look.run();
                    });
        }
    }

    private void finish() {
        if (world.chance(DIES)) {
            holding = false;
            world.trace(() -> name + " dies");
            begin();
        } else {
            leave("has done its work");
        }
    }

    /** Stops to believe, and releases. */
    private void leave(String why) {
        holding = false;
        world.trace(() -> name + " " + why + ", and releases");
        String released = id;
        links.forEach(link -> link.send(
                false,
                "release by " + released,
                store -> store.release(link.node.clock(), released),
                inForce -> {},
                () -> {}));
        begin();
    }
}
