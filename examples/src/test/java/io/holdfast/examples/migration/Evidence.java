package io.holdfast.examples.migration;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who held what, in a directory that all members of a fleet share, and that knows nothing of locks.
 *
 * <p>A holder creates a symbolic link for the name before it works, and deletes it after that. The operating system lets one
 * process of all succeed, and the link says in the same step who that is. While it exists its creator alone appends to the name's
 * list of holds.
 *
 * @param directory where the files are
 */
record Evidence(Path directory) {
    private static final String MARK = "held ";
    private static final String HOLDS = "holds ";
    private static final String COLLISIONS = "collisions";
    private static final String LOSSES = "losses";
    private static final String FAILURES = "failures";

    /**
     * A lock held once.
     *
     * @param member by whom
     * @param phase in which phase its client was
     * @param token the fencing token
     * @param waitedMillis how long the member waited for it
     */
    record Hold(String member, String phase, long token, long waitedMillis) {

        /** Who it was, short. */
        String id() {
            return member + ":" + token;
        }

        private static Hold parse(String line) {
            String[] words = line.split(" ", -1);
            return new Hold(words[0], words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
        }

        private String line() {
            return member + " " + phase + " " + token + " " + waitedMillis;
        }
    }

    /**
     * Two holds at the same time.
     *
     * @param name of the lock
     * @param second the hold that began while the other one was there
     * @param first the other one
     */
    record Collision(String name, String second, String first) {}

    /**
     * Notes that a hold begins.
     *
     * @return false if another one is there
     */
    boolean begin(String name, Hold hold) throws IOException {
        Path mark = directory.resolve(MARK + name);
        try {
            Path unused = Files.createSymbolicLink(mark, Path.of(hold.id()));
        } catch (FileAlreadyExistsException another) {
            append(COLLISIONS, name + " " + hold.id() + " " + creator(mark));
            return false;
        }
        append(HOLDS + name, hold.line());
        return true;
    }

    private static String creator(Path mark) throws IOException {
        try {
            return Files.readSymbolicLink(mark).toString();
        } catch (NoSuchFileException ended) {
            return "one-that-ended-meanwhile";
        }
    }

    void end(String name) throws IOException {
        Files.delete(directory.resolve(MARK + name));
    }

    /** Notes that the holder knew after its work that the lock was lost. */
    void loss(Hold hold) throws IOException {
        append(LOSSES, hold.id());
    }

    void failure(String what) throws IOException {
        append(FAILURES, what);
    }

    /** Ends the holds of a process that has ended: it does not work any more. */
    void endAllOf(String member) throws IOException {
        for (Path mark : marksOf(member)) {
            Files.delete(mark);
        }
    }

    /** Whether a member is in the middle of a hold. */
    boolean isHeldBy(String member) throws IOException {
        return !marksOf(member).isEmpty();
    }

    private List<Path> marksOf(String member) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> marks = Files.newDirectoryStream(directory, MARK + "*")) {
            for (Path mark : marks) {
                if (creator(mark).startsWith(member + ":")) {
                    found.add(mark);
                }
            }
        }
        return found;
    }

    /** Collisions of two holders that both kept their locks to the end of their work. */
    List<Collision> overlaps() throws IOException {
        List<String> lost = losses();
        return collisions().stream()
                .filter(both -> !lost.contains(both.first()) && !lost.contains(both.second()))
                .toList();
    }

    private List<Collision> collisions() throws IOException {
        return lines(COLLISIONS).stream()
                .map(line -> line.split(" ", -1))
                .map(words -> new Collision(words[0], words[1], words[2]))
                .toList();
    }

    List<String> losses() throws IOException {
        return lines(LOSSES);
    }

    List<String> failures() throws IOException {
        return lines(FAILURES);
    }

    /** The holds of a name in their order. */
    List<Hold> holds(String name) throws IOException {
        return lines(HOLDS + name).stream().map(Hold::parse).toList();
    }

    /** Holds whose token is not greater than that of the hold before them. */
    List<String> tokensThatDidNotGrow(String name) throws IOException {
        List<Hold> holds = holds(name);
        return IntStream.range(1, holds.size())
                .filter(i -> holds.get(i).token() <= holds.get(i - 1).token())
                .mapToObj(i -> name + ": " + holds.get(i) + " after " + holds.get(i - 1))
                .toList();
    }

    private List<String> lines(String file) throws IOException {
        Path path = directory.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** In one write at the end of the file, so that lines of two processes do not mix. */
    private void append(String file, String line) throws IOException {
        Path unused = Files.write(
                directory.resolve(file),
                (line + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
