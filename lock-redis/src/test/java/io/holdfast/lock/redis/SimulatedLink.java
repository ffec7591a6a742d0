package io.holdfast.lock.redis;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The connection of a client to a server in a simulation, with what {@link NodeConnection} and {@link NodeIdentity} do: a restart
 * of the server breaks it, a request on it is sent once more, and a server that may have forgotten locks is asked for none.
 */
final class SimulatedLink {

    private static final long LONGEST_USUAL = 20_000;
    private static final long LONGEST_SLOW = 3_000_000;
    private static final double REFUSED = 0.5;

    final SimulatedNode node;
    private final Simulation world;
    private final SimulatedClient client;
    private int starts;
    private long keptOutUntil = Long.MIN_VALUE;
    private boolean cut;

    SimulatedLink(Simulation world, SimulatedClient client, SimulatedNode node) {
        this.world = world;
        this.client = client;
        this.node = node;
    }

    /** One request; what comes first, an answer or the failure, ends it. */
    private final class Request<R> {
        private final boolean granting;
        private final String what;
        private final Function<NodeModel, R> script;
        private final Consumer<R> answered;
        private final Runnable failed;
        private boolean repeated;
        private boolean ended;

        Request(boolean granting, String what, Function<NodeModel, R> script, Consumer<R> answered, Runnable failed) {
            this.granting = granting;
            this.what = what;
            this.script = script;
            this.answered = answered;
            this.failed = failed;
        }

        void send() {
            int connection = starts;
            if (granting && isKeptOut()) {
                end("keeps out, is not asked", failed);
                return;
            }
            travel(() -> arrive(connection, false));
            if (world.chance(world.weather().copied())) {
                world.time.after(world.random(LONGEST_SLOW), () -> arrive(connection, true));
            }
        }

        private void arrive(int connection, boolean isCopy) {
            if (cut || !node.isUp()) {
                if (!isCopy && world.chance(REFUSED)) {
                    travel(() -> client.receive(() -> end("does not answer", failed)));
                }
            } else if (connection == node.starts()) {
                R answer = script.apply(node.store);
                world.trace(() -> node.name + ": " + what + (isCopy ? ", a copy" : "") + ": " + answer);
                travel(() -> client.receive(() -> end("answers", () -> answered.accept(answer))));
            } else if (!isCopy) {
                client.receive(() -> connectAgain(connection));
            }
        }

        private void connectAgain(int connection) {
            if (starts != node.starts()) {
                starts = node.starts();
                keptOutUntil = client.clock() + world.keptOutFor() - node.uptime();
            }
            if (repeated || connection == starts) {
                end("has lost the connection", failed);
            } else {
                repeated = true;
                send();
            }
        }

        private void end(String how, Runnable action) {
            if (!ended) {
                ended = true;
                world.trace(() -> client.name + ": " + node.name + " " + how + ": " + what);
                action.run();
            }
        }
    }

    <R> void send(boolean granting, String what, Function<NodeModel, R> script, Consumer<R> answered, Runnable failed) {
        new Request<>(granting, what, script, answered, failed).send();
    }

    private boolean isKeptOut() {
        return client.clock() < keptOutUntil;
    }

    /** Whether a request would get there now. */
    boolean isOpen() {
        return !cut && node.isUp();
    }

    void cutFor(long micros) {
        cut = true;
        world.time.after(micros, () -> cut = false);
    }

    private void travel(Runnable arrival) {
        if (!world.chance(world.weather().lost())) {
            long longest = world.chance(world.weather().slow()) ? LONGEST_SLOW : LONGEST_USUAL;
            world.time.after(100 + world.random(longest), arrival);
        }
    }
}
