package io.holdfast.lock.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What several processes did with locks, as each of them wrote it down, by the monotonic clock of their machine. The checks measure
 * nothing, so a slow machine cannot fail them.
 *
 * <p>A <em>certain hold</em> lasts from the return of the grant to the call of the release, or to the latest time until which the
 * holder relied on its lock: the earlier of the two. If the certain holds of a name are disjoint, there is an order of the grants and
 * releases in which one holder follows the other; if two overlap, there is none.
 */
final class History {

    /** What a process writes down. */
    enum Kind {
        /** It begins to wait for a lock. */
        ASK,
        /** It got no lock in time. */
        REFUSED,
        /** It was granted a lock. */
        GRANT,
        /** It prolonged its lease. */
        RENEWED,
        /** It begins to release its lock; it relies on it no more. */
        RELEASING,
        /** It has released its lock. */
        RELEASED,
        /** It has noticed that its lock was lost. */
        LOST,
        /** The resource has accepted an update of it. */
        WROTE,
        /** The resource has refused an update of it. */
        STALE
    }

    /**
     * One line of a process.
     *
     * @param name the lock
     * @param called when the call began
     * @param at when it had returned
     * @param token the fencing token; 0 if there is none
     * @param until until when the process relies on its lock; 0 if it has none
     */
    record Entry(Kind kind, String name, long called, long at, long token, long until) {

        String line() {
            return kind + " " + name + " " + called + " " + at + " " + token + " " + until + " .\n";
        }

        static Entry of(String line) {
            String[] words = line.split(" ", -1);
            return new Entry(
                    Kind.valueOf(words[0]),
                    words[1],
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]));
        }

        /** Whether it was written to its end: a process may be killed on the way. */
        static boolean isWhole(String line) {
            return line.endsWith(" .");
        }
    }

    /** A hold for as long as it is certain. */
    private record Hold(String process, Entry grant, long end) {}

    private final List<Hold> holds = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long writes;

    /** Adds what a process has written to its file. */
    void add(String process, Path file, boolean killed) throws IOException {
        add(
                process,
                Files.readAllLines(file).stream()
                        .filter(Entry::isWhole)
                        .map(Entry::of)
                        .toList(),
                killed);
    }

    /**
     * Adds what a process did.
     *
     * @param killed whether it was killed, so that its last hold or wait needs no end
     */
    void add(String process, List<Entry> entries, boolean killed) {
        Entry asked = null;
        Entry grant = null;
        long until = 0;
        for (Entry entry : entries) {
            switch (entry.kind()) {
                case ASK -> asked = entry;
                case REFUSED -> asked = null;
                case GRANT -> {
                    asked = null;
                    grant = entry;
                    until = entry.until();
                }
                case RENEWED -> until = Math.max(until, entry.until());
                case RELEASING, LOST -> {
                    if (grant != null) {
                        holds.add(new Hold(process, grant, Math.min(until, entry.called())));
                        grant = null;
                    }
                }
                case WROTE -> writes++;
                case RELEASED, STALE -> {
                    // Nothing follows from them.
                }
            }
        }
        if (grant != null) {
            holds.add(new Hold(process, grant, until));
            if (!killed) {
                violations.add("the lock '" + grant.name() + "' was granted to " + process
                        + ", and neither released nor lost");
            }
        }
        if (asked != null && !killed) {
            violations.add(process + " waits for the lock '" + asked.name() + "' for ever");
        }
    }

    /** How many holds there were. */
    int grants() {
        return holds.size();
    }

    /** How many updates the resource has accepted, as far as it was written down. */
    long writes() {
        return writes;
    }

    /** All that must not be; empty if the rules were kept. */
    List<String> violations(boolean fenced) {
        Map<String, List<Hold>> byName = new TreeMap<>();
        holds.forEach(hold -> byName.computeIfAbsent(hold.grant().name(), name -> new ArrayList<>())
                .add(hold));
        List<String> found = new ArrayList<>(violations);
        byName.values().forEach(ofName -> {
            found.addAll(overlaps(ofName));
            if (fenced) {
                found.addAll(disorder(ofName));
            }
        });
        return found;
    }

    private static List<String> overlaps(List<Hold> ofName) {
        List<String> found = new ArrayList<>();
        List<Hold> inOrder = new ArrayList<>(ofName);
        inOrder.sort(Comparator.comparingLong(hold -> hold.grant().at()));
        Hold longest = inOrder.get(0);
        for (Hold next : inOrder.subList(1, inOrder.size())) {
            // A hold that ended before its grant had returned was never certain.
            if (next.end() > next.grant().at() && next.grant().at() < longest.end()) {
                found.add(longest.process() + " and " + next.process() + " both held the lock '"
                        + next.grant().name() + "' for "
                        + (Math.min(longest.end(), next.end()) - next.grant().at()) / 1_000
                        + " microseconds, under the tokens "
                        + longest.grant().token() + " and " + next.grant().token());
            }
            if (next.end() > longest.end()) {
                longest = next;
            }
        }
        return found;
    }

    /** A grant that had returned before another one was asked for has a smaller token; no two are equal. */
    private static List<String> disorder(List<Hold> ofName) {
        List<String> found = new ArrayList<>();
        List<Entry> byCall = new ArrayList<>(ofName.stream().map(Hold::grant).toList());
        List<Entry> byReturn = new ArrayList<>(byCall);
        byCall.sort(Comparator.comparingLong(Entry::called));
        byReturn.sort(Comparator.comparingLong(Entry::at));
        Set<Long> seen = new HashSet<>();
        long highest = 0;
        int returned = 0;
        for (Entry grant : byCall) {
            while (returned < byReturn.size() && byReturn.get(returned).at() < grant.called()) {
                highest = Math.max(highest, byReturn.get(returned++).token());
            }
            if (grant.token() < highest || !seen.add(grant.token())) {
                found.add("the lock '" + grant.name() + "' was granted under the token " + grant.token() + ", although "
                        + (grant.token() < highest ? highest : "it") + " had been granted before");
            }
        }
        return found;
    }
}
