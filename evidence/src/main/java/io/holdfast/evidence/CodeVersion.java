package io.holdfast.evidence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Which version of the code is here: the last commit that changed anything but pages, this module, which only writes one, and the
 * wrong providers.
 */
final class CodeVersion {

    private static final List<String> CODE = List.of(
            "--",
            ".",
            ":(exclude)docs",
            ":(exclude)README.md",
            ":(exclude)CONTRIBUTING.md",
            ":(exclude)CHANGELOG.md",
            ":(exclude)evidence",
            ":(exclude)wrong-providers");

    private static final int SHORT = 12;

    private final Function<List<String>, String> git;

    CodeVersion(Function<List<String>, String> git) {
        this.git = git;
    }

    static CodeVersion in(Path checkout) {
        return new CodeVersion(arguments -> run(checkout, arguments));
    }

    /** The commit. */
    String commit() {
        return ask("log", "-1", "--format=%H").substring(0, SHORT);
    }

    /**
     * Refuses code that no commit names.
     *
     * @throws EvidenceException if anything was changed since the commit
     */
    void requireCommitted() {
        String changed = ask("status", "--porcelain");
        if (!changed.isEmpty()) {
            throw new EvidenceException("A report has to name its code, but these files are not as they were committed."
                    + " Commit or stash them:\n" + changed);
        }
    }

    private String ask(String... question) {
        List<String> arguments = new ArrayList<>(List.of(question));
        arguments.addAll(CODE);
        return git.apply(arguments).stripTrailing();
    }

    private static String run(Path checkout, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new EvidenceException("git cannot tell which code this is: " + said.strip());
            }
            return said;
        } catch (IOException missing) {
            throw new EvidenceException("git has to tell which code this is, but: " + missing.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EvidenceException("interrupted");
        }
    }
}
