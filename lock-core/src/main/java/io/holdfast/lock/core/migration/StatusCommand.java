package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.LockProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** {@link MigrationStatus} as a command. */
final class StatusCommand {

    private static final String USAGE =
            "allowed are [--empty PHASE] [--properties FILE] <URI of the old store> <URI of the new store>";
    private static final int DONE = 0;
    private static final int NOT_EMPTY = 1;
    private static final int WRONG_ARGUMENTS = 2;
    private static final int FAILED = 3;

    private @Nullable Phase empty;
    private final Properties properties = new Properties();
    private final List<String> stores;

    private StatusCommand(List<String> arguments) {
        Deque<String> left = new ArrayDeque<>(arguments);
        while (left.size() > 2) {
            String option = left.pop();
            switch (option) {
                case "--empty" -> empty = phase(left.pop());
                case "--properties" -> read(left.pop());
                default -> throw new LockConfigurationException("The argument '" + option + "' is unknown; " + USAGE);
            }
        }
        if (left.size() != 2) {
            throw new LockConfigurationException("There are too few arguments; " + USAGE);
        }
        stores = List.copyOf(left);
        if (stores.get(0).equals(stores.get(1))) {
            throw new LockConfigurationException("Both URIs are the same; " + USAGE);
        }
    }

    /** Returns the exit code. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            return new StatusCommand(arguments).print(out, err);
        } catch (LockConfigurationException wrong) {
            err.println(wrong.getMessage());
            return WRONG_ARGUMENTS;
        } catch (LockException failed) {
            err.println(failed.getMessage());
            return FAILED;
        }
    }

    private int print(PrintStream out, PrintStream err) {
        try (LockProvider from = store("from.", stores.get(0));
                LockProvider to = store("to.", stores.get(1))) {
            MigrationStatus status = MigrationStatus.of(from, to);
            out.print(status);
            if (Arrays.stream(Phase.values())
                    .anyMatch(phase -> !Presence.exchanged(from, to, phase).isEmpty())) {
                err.println("There are clients for which the first of these stores is the new one; allowed is the old"
                        + " store first");
                return WRONG_ARGUMENTS;
            }
            if (empty != null && nobody(status)) {
                err.println("No client is seen in any phase; are these the stores of the move?");
                return NOT_EMPTY;
            }
            if (empty != null && !status.clients(empty).isEmpty()) {
                err.println("There are clients in " + empty);
                return NOT_EMPTY;
            }
            return DONE;
        }
    }

    private static boolean nobody(MigrationStatus status) {
        return Arrays.stream(Phase.values())
                .allMatch(phase -> status.clients(phase).isEmpty());
    }

    private LockProvider store(String prefix, String uri) {
        LockClient.Builder builder = LockClient.builder(uri);
        properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(prefix))
                .forEach(name -> builder.property(name.substring(prefix.length()), properties.getProperty(name)));
        return builder.buildProvider();
    }

    private static Phase phase(String name) {
        return Arrays.stream(Phase.values())
                .filter(phase -> phase.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new LockConfigurationException(
                        "The phase '" + name + "' is unknown; allowed are from_only, both, to_only"));
    }

    private void read(String file) {
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new LockConfigurationException("The file '" + file + "' cannot be read: " + unreadable, unreadable);
        }
        properties.stringPropertyNames().stream()
                .filter(name -> !name.startsWith("from.") && !name.startsWith("to."))
                .findFirst()
                .ifPresent(name -> {
                    throw new LockConfigurationException("The property '" + name
                            + "' is of no store; allowed are names that begin with from. or to.");
                });
    }
}
