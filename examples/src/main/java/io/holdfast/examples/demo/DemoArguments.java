package io.holdfast.examples.demo;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the command line says.
 *
 * @param backend the lock store
 * @param help whether only the help text is wanted
 */
record DemoArguments(DemoBackend backend, boolean help) {

    /** The command line makes no sense; the message says what would. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static DemoArguments parse(List<String> words) {
        DemoBackend backend = DemoBackend.ALL.get(0);
        boolean help = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--help") || word.equals("-h")) {
                help = true;
            } else if (word.startsWith("--backend=")) {
                backend = backend(word.substring("--backend=".length()));
            } else if (word.equals("--backend") && i + 1 < words.size()) {
                backend = backend(words.get(++i));
            } else if (word.equals("--backend")) {
                throw new UsageException("--backend needs a name; allowed are: " + names());
            } else {
                throw new UsageException("Unknown argument '" + word + "'; allowed are: --backend NAME, --help");
            }
        }
        return new DemoArguments(backend, help);
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

    static String helpText() {
        String backends = DemoBackend.ALL.stream()
                .map(backend -> String.format("  %-14s%s%n", backend.name(), backend.summary()))
                .collect(Collectors.joining());
        return """
                Usage: ./demo [--backend NAME]

                Buyers in several processes take the last units of a stock: without a lock, with one, and
                with a holder that sleeps past its lease. Starts what it needs by itself, and stops it.

                Backends (the first is the default):
                %s
                Exit code: 0 every claim held; 1 a claim did not hold; 2 wrong arguments; 3 the demo could not run.
                Set NO_COLOR for output without colours.
                """.formatted(backends);
    }
}
