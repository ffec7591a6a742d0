package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How root runs a program that refuses to run as root. */
final class NotRoot {

    /** The user id of {@code nobody} on most systems. */
    private static final String NOBODY = "65534";

    private static final List<String> IN_A_NAMESPACE = List.of("unshare", "-U");
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    private NotRoot() {}

    /** The words before the command line. */
    static List<String> prefix() {
        return Chosen.PREFIX;
    }

    /** Lets the program write into a directory. */
    static void give(Path directory) {
        if (!prefix().equals(AS_NOBODY)) {
            return;
        }
        try {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Chosen once, on first use. */
    private static final class Chosen {
        private static final List<String> PREFIX = choose();

        private static List<String> choose() {
            if (!System.getProperty("user.name").equals("root")) {
                return List.of();
            }
            // In a new user namespace the program does not see that it runs as root. Containers often forbid that.
            return succeeds("unshare", "-U", "true") ? IN_A_NAMESPACE : AS_NOBODY;
        }

        private static boolean succeeds(String... line) {
            try {
                return new ProcessBuilder(line)
                                .redirectErrorStream(true)
                                .redirectOutput(Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while a program ran", stop);
            } catch (IOException notThere) {
                return false;
            }
        }
    }
}
