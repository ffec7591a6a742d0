package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which clients of a migration are alive, by phase. Clients that use a store without {@link MigratingLockProvider} cannot be
 * seen.
 *
 * <p>As a command: {@code java -cp … io.holdfast.lock.core.migration.MigrationStatus <URI of the old store> <URI of the new
 * store>}. Before the URIs may stand {@code --empty from_only}, for a script that goes on only when nobody is left in that phase,
 * and {@code --properties FILE} with what others should not see in the list of processes: lines such as {@code from.password=…}
 * and {@code to.user=…}.
 */
public final class MigrationStatus {

    private final Map<Phase, List<LockHolder>> clients;

    private MigrationStatus(Map<Phase, List<LockHolder>> clients) {
        this.clients = clients;
    }

    /**
     * Asks both stores. Takes some hundred requests, and no lock.
     *
     * @param from the old store
     * @param to the new store
     * @return the clients that are alive, or have died so shortly before that their locks may be in force
     * @throws io.holdfast.lock.LockStoreException if a store fails
     */
    public static MigrationStatus of(LockProvider from, LockProvider to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Map<Phase, List<LockHolder>> clients = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            clients.put(phase, Presence.alive(from, to, phase));
        }
        return new MigrationStatus(clients);
    }

    /**
     * The clients in a phase.
     *
     * @param phase the phase
     * @return their hosts, process ids and when they were first known to be alive
     */
    public List<LockHolder> clients(Phase phase) {
        return List.copyOf(clients.getOrDefault(Objects.requireNonNull(phase, "phase"), List.of()));
    }

    /** A line for each phase, and one for each client. */
    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        clients.forEach((phase, alive) -> {
            lines.append(String.format("%-9s %d%n", phase, alive.size()));
            alive.forEach(client -> lines.append("          ")
                    .append(Presence.shown(List.of(client)))
                    .append(System.lineSeparator()));
        });
        return lines.toString();
    }

    /**
     * Prints which clients are alive: the command of the class comment. It exits with 0; with 1 if a phase that has to be empty
     * is not, or no client is seen in any; with 2 if the arguments are wrong; with 3 if a store fails.
     *
     * @param arguments those of the command
     */
    public static void main(String[] arguments) {
        System.exit(StatusCommand.run(List.of(arguments), System.out, System.err));
    }
}
