package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One schedule of clients, servers and faults in virtual time, which the seed determines. After some time all faults end, and
 * somebody has to get the lock.
 */
final class Simulation {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofMillis(200);
    private static final long SECOND = 1_000_000;
    private static final int SECONDS_WITH_FAULTS = 6;
    private static final int LEASES_WITHOUT_FAULTS = 6;
    private static final int LEAST_CLIENTS = 2;
    private static final int MOST_CLIENTS = 4;
    private static final int FEWEST_NODES = 3;
    private static final int MORE_NODES = 5;
    private static final double LARGER = 0.25;
    private static final double QUIET_END = 0.1;

    /** More than any declared drift. */
    private static final double TOO_FAST = 0.2;

    /** Clocks of servers differ by this at most, in microseconds. */
    private static final long SKEW = 500_000;

    private static final double REDLOCK_DRIFT = RedlockOptions.USUAL.driftPercent() / 100.0;
    private static final double ONE_SERVER_DRIFT = 0.001;
    private static final long ONE_SERVER_VALID =
            micros(new ClaimRequest("lock", "claim", "owner", LEASE, Intent.WAIT, new Claimant("host", 1, "thread"))
                    .validFor());
    private static final RedlockOptions LOSING =
            RedlockOptions.USUAL.withTimeout(TIMEOUT).withLongestLease(LEASE);

    final SimulatedTime time = new SimulatedTime();

    /** The failure of all requests: it decides nothing what it says, and a new one costs more than the rest of a step. */
    final LockStoreException noAnswer = new LockStoreException("no answer");

    private final Protocol protocol;
    private final Optional<Assumption> removed;
    private final SplittableRandom random;
    private final RedlockOptions options;
    private final boolean tracing;
    private final List<String> steps = new ArrayList<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final Set<Long> tokens = new HashSet<>();
    private Weather weather;
    private long highestToken;
    private int grants;

    /** Something that must never happen has happened. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what, null, false, false);
        }
    }

    /**
     * Makes a schedule.
     *
     * @param removed the assumption that does not hold; empty if all hold
     * @param tracing whether to note each step
     */
    Simulation(Protocol protocol, long seed, Optional<Assumption> removed, boolean tracing) {
        this.protocol = protocol;
        this.removed = removed;
        this.tracing = tracing;
        this.random = new SplittableRandom(seed);
        this.weather = Weather.of(random);
        boolean keepsData = (protocol == Protocol.ONE_SERVER || random.nextBoolean()) && rests(Assumption.KEPT_OUT);
        this.options = keepsData ? LOSING.asDurable() : LOSING;
        int size = protocol == Protocol.ONE_SERVER ? 1 : chance(LARGER) ? MORE_NODES : FEWEST_NODES;
        for (int node = 1; node <= size; node++) {
            nodes.add(new SimulatedNode("server " + node, time, rate(), random(SKEW)));
        }
        int competitors = random.nextInt(LEAST_CLIENTS, MOST_CLIENTS + 1);
        for (int client = 1; client <= competitors; client++) {
            clients.add(new SimulatedClient("client" + client, this, rate(), nodes));
        }
    }

    private double rate() {
        double bound = protocol == Protocol.REDLOCK ? REDLOCK_DRIFT : ONE_SERVER_DRIFT;
        return 1 + random.nextDouble() * (rests(Assumption.BOUNDED_DRIFT) ? bound : TOO_FAST);
    }

    /** Runs it; the violation, if there is one. */
    Optional<String> run() {
        try {
            trace(() -> protocol + " with " + nodes.size() + " servers, " + options + ", " + weather);
            clients.forEach(SimulatedClient::begin);
            planFaults();
            time.runUntil(SECONDS_WITH_FAULTS * SECOND);
            if (chance(QUIET_END)) {
                runWithoutFaults();
            }
            return Optional.empty();
        } catch (Violation violation) {
            trace(violation::getMessage);
            return Optional.of(violation.getMessage());
        }
    }

    private void planFaults() {
        for (long second = 0; second < SECONDS_WITH_FAULTS; second++) {
            long from = second * SECOND;
            for (SimulatedClient client : clients) {
                maybe(weather.paused(), from, () -> client.pauseFor(random(2 * leaseMicros())));
                client.links().forEach(link -> maybe(weather.cut(), from, () -> link.cutFor(random(2 * SECOND))));
            }
            nodes.forEach(node -> maybe(weather.restarted(), from, () -> restart(node)));
        }
    }

    private void maybe(double chance, long from, Runnable fault) {
        if (chance(chance)) {
            time.after(from + random(SECOND), fault);
        }
    }

    private void restart(SimulatedNode node) {
        trace(() -> node.name + " stops");
        node.stop();
        time.after(random(chance(0.5) ? SECOND : SECOND / 100), () -> {
            boolean withData = options.durable() || random.nextBoolean();
            trace(() -> node.name + " starts " + (withData ? "with" : "without") + " its data");
            node.start(withData);
        });
    }

    /** By then all nodes take part again, and the leases of the dead have ended. */
    private void runWithoutFaults() {
        weather = Weather.fine();
        trace(() -> "All faults end");
        time.runUntil(time.now() + 3 * SECOND + keptOutFor());
        int before = grants;
        time.runUntil(time.now() + LEASES_WITHOUT_FAULTS * leaseMicros());
        if (grants == before) {
            throw new Violation("NOBODY GETS THE LOCK any more");
        }
    }

    /** A client was granted the lock, and believes it from now on. */
    void granted(SimulatedClient client, long token, long floor, OptionalLong earlier) {
        grants++;
        requireOneHolder();
        boolean same = earlier.isPresent() && earlier.getAsLong() == token;
        if (token < floor || (token == floor && !same)) {
            throw new Violation("TOKEN " + token + " of " + client.name + " is not above " + floor
                    + ", which was given before it was asked for");
        }
        highestToken = Math.max(highestToken, token);
        if (!same && !tokens.add(token)) {
            throw new Violation("TOKEN " + token + " of " + client.name + " was given before");
        }
    }

    /** Looked at whenever a client begins to believe, or believes for longer: nothing else can make them two. */
    void requireOneHolder() {
        List<String> holders = clients.stream()
                .filter(SimulatedClient::believes)
                .map(client -> client.name)
                .toList();
        if (holders.size() > 1) {
            throw new Violation("TWO HOLDERS: " + holders);
        }
    }

    Protocol protocol() {
        return protocol;
    }

    /** Whether an assumption holds. */
    boolean rests(Assumption assumption) {
        return removed.filter(assumption::equals).isEmpty();
    }

    Weather weather() {
        return weather;
    }

    long highestToken() {
        return highestToken;
    }

    boolean chance(double part) {
        return part > 0 && random.nextDouble() < part;
    }

    long random(long most) {
        return random.nextLong(most);
    }

    long leaseMillis() {
        return LEASE.toMillis();
    }

    long leaseMicros() {
        return micros(LEASE);
    }

    long timeout() {
        return micros(TIMEOUT);
    }

    long validFor() {
        return protocol == Protocol.ONE_SERVER ? ONE_SERVER_VALID : micros(options.validFor(LEASE));
    }

    long keptOutFor() {
        return rests(Assumption.KEPT_OUT) ? micros(options.keptOutFor()) : 0;
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    void trace(Supplier<String> step) {
        if (tracing) {
            steps.add(String.format("%9.3f ms  %s", time.now() / 1_000.0, step.get()));
        }
    }

    List<String> steps() {
        return steps;
    }
}
