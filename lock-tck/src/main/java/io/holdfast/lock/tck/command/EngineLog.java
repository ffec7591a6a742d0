package io.holdfast.lock.tck.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.FileHandler;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The log of the engine during a run. The tests lose many locks on purpose, and the warnings would look like trouble, so they go
 * to a file beside the reports, or nowhere.
 */
final class EngineLog {

    /** Held: a logger that nobody holds forgets its handlers. */
    private static final Logger ROOT = Logger.getLogger("");

    private EngineLog() {}

    static void keepIn(Optional<Path> directory) {
        LogManager.getLogManager().reset();
        directory.ifPresent(place -> {
            try {
                Files.createDirectories(place);
                FileHandler file = new FileHandler(place.resolve("lock-tck.log").toString());
                file.setFormatter(new SimpleFormatter());
                ROOT.addHandler(file);
            } catch (IOException failed) {
                throw new UncheckedIOException("The report cannot be written to " + place, failed);
            }
        });
    }
}
