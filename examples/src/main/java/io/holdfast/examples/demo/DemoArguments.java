package io.holdfast.examples.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the command line says.
 *
 * @param backend the lock store
 * @param migrate whether the locks move from the backend to ZooKeeper
 * @param help whether only the help text is wanted
 */
record DemoArguments(DemoBackend backend, boolean migrate, boolean help) {

    /** The command line makes no sense; the message says what would. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static DemoArguments parse(List<String> words) {
        Optional<DemoBackend> chosen = Optional.empty();
        boolean migrate = false;
        boolean help = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--help") || word.equals("-h")) {
                help = true;
            } else if (word.equals("migrate")) {
                migrate = true;
            } else if (word.startsWith("--backend=")) {
                chosen = choose(chosen, word.substring("--backend=".length()));
            } else if (word.equals("--backend") && i + 1 < words.size()) {
                chosen = choose(chosen, words.get(++i));
            } else if (word.equals("--backend")) {
                throw new UsageException("--backend needs a name; allowed are: " + names());
            } else {
                throw new UsageException("Unknown argument '" + word
                        + "'; allowed are: migrate, --backend NAME, --help. The backends are: " + names());
            }
        }
        if (migrate && chosen.isPresent()) {
            throw new UsageException("'migrate' moves the locks from Redis to ZooKeeper; it takes no --backend");
        }
        return new DemoArguments(chosen.orElse(DemoBackend.ALL.get(0)), migrate, help);
    }

    private static Optional<DemoBackend> choose(Optional<DemoBackend> before, String name) {
        if (before.isPresent()) {
            throw new UsageException("Two backends are named, '" + before.get().name() + "' and '" + name
                    + "'; one run of the demo is on one of them");
        }
        return Optional.of(backend(name));
    }

    private static DemoBackend backend(String name) {
        return DemoBackend.ALL.stream()
                .filter(backend -> backend.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("Unknown backend '" + name + "'; allowed are: " + names()));
    }

    private static String names() {
        return DemoBackend.ALL.stream().map(DemoBackend::name).collect(Collectors.joining(", "));
    }

    /** The text that {@code ./demo --help} shows without a build. */
    static String helpText() {
        try (InputStream text = Objects.requireNonNull(DemoArguments.class.getResourceAsStream("help.txt"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
