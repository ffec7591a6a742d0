package io.holdfast.lock.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What several processes did with locks, as each of them wrote it down, by the monotonic clock of their machine. The checks
 * measure nothing, so a slow machine cannot fail them.
 *
 * <p>A <em>certain hold</em> lasts from the return of the grant to the call of the release, or to the latest time until which the
 * holder relied on its lock: the earlier of the two. If the certain holds of a name are disjoint, there is an order of the grants
 * and releases in which one holder follows the other; if two overlap, there is none.
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
    private record Hold(String process, Entry grant, long end) {

        String shown(long since) {
            return process + ": asked at " + millis(grant.called() - since) + ", granted at "
                    + millis(grant.at() - since) + ", token " + grant.token() + ", certainly held until "
                    + millis(end - since);
        }

        private static String millis(long nanos) {
            return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
        }
    }

    /** What must not be, of the lock of a name, in a span of time. */
    private record Violation(String text, String name, long from, long to) {}

    private static final int SHOWN = 5;
    private static final int SHOWN_HOLDS = 12;
    private static final long SHOWN_AROUND = Duration.ofMillis(20).toNanos();

    private final List<Hold> holds = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private long writes;
    private long grants;
    private long losses;
    private long longestWait;

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
                    grants++;
                    longestWait = Math.max(longestWait, entry.at() - entry.called());
                    grant = entry;
                    until = entry.until();
                }
                case RENEWED -> until = Math.max(until, entry.until());
                case RELEASING, LOST -> {
                    losses += entry.kind() == Kind.LOST ? 1 : 0;
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
                violations.add(new Violation(
                        "the lock '" + grant.name() + "' was granted to " + process + ", and neither released nor lost",
                        grant.name(),
                        grant.called(),
                        until));
            }
        }
        if (asked != null && !killed) {
            violations.add(new Violation(
                    process + " waits for the lock '" + asked.name() + "' for ever",
                    asked.name(),
                    asked.called(),
                    asked.called()));
        }
    }

    /** How many holds there were. */
    long grants() {
        return grants;
    }

    /** How many of them were lost. */
    long losses() {
        return losses;
    }

    /** The longest wait that ended in a grant. */
    Duration longestWait() {
        return Duration.ofNanos(longestWait);
    }

    /** How many updates the resource has accepted, as far as it was written down. */
    long writes() {
        return writes;
    }

    /** All that must not be; empty if the rules were kept. */
    List<String> violations(boolean fenced) {
        return found(fenced).stream().map(Violation::text).toList();
    }

    /** The first of what must not be, each with the holds that show it. Times count from the first ask that is shown. */
    List<String> evidence(boolean fenced) {
        List<String> lines = new ArrayList<>();
        for (Violation violation : found(fenced).stream().limit(SHOWN).toList()) {
            lines.add(violation.text());
            List<Hold> around = holds.stream()
                    .filter(hold -> hold.grant().name().equals(violation.name()))
                    .filter(hold -> hold.end() > violation.from() - SHOWN_AROUND
                            && hold.grant().called() < violation.to() + SHOWN_AROUND)
                    .sorted(Comparator.comparingLong(hold -> hold.grant().called()))
                    .limit(SHOWN_HOLDS)
                    .toList();
            around.forEach(
                    hold -> lines.add("  " + hold.shown(around.get(0).grant().called())));
        }
        return lines;
    }

    /**
     * Forgets all holds but those that later ones can contradict: of each name the one that lasts longest, and the highest token.
     */
    void forget() {
        Map<String, Hold> latest = new TreeMap<>();
        Map<String, Hold> highest = new TreeMap<>();
        for (Hold hold : holds) {
            latest.merge(hold.grant().name(), hold, (one, other) -> one.end() > other.end() ? one : other);
            highest.merge(
                    hold.grant().name(),
                    hold,
                    (one, other) -> one.grant().token() > other.grant().token() ? one : other);
        }
        Set<Hold> kept = new LinkedHashSet<>(latest.values());
        kept.addAll(highest.values());
        holds.retainAll(kept);
    }

    private List<Violation> found(boolean fenced) {
        Map<String, List<Hold>> byName = new TreeMap<>();
        holds.forEach(hold -> byName.computeIfAbsent(hold.grant().name(), name -> new ArrayList<>())
                .add(hold));
        List<Violation> found = new ArrayList<>(violations);
        byName.values().forEach(ofName -> {
            found.addAll(overlaps(ofName));
            if (fenced) {
                found.addAll(disorder(ofName));
            }
        });
        return found;
    }

    private static List<Violation> overlaps(List<Hold> ofName) {
        List<Violation> found = new ArrayList<>();
        List<Hold> inOrder = new ArrayList<>(ofName);
        inOrder.sort(Comparator.comparingLong(hold -> hold.grant().at()));
        Hold longest = inOrder.get(0);
        for (Hold next : inOrder.subList(1, inOrder.size())) {
            // A hold that ended before its grant had returned was never certain.
            if (next.end() > next.grant().at() && next.grant().at() < longest.end()) {
                long end = Math.min(longest.end(), next.end());
                found.add(new Violation(
                        longest.process() + " and " + next.process() + " both held the lock '"
                                + next.grant().name() + "' for "
                                + (end - next.grant().at()) / 1_000
                                + " microseconds, under the tokens "
                                + longest.grant().token() + " and "
                                + next.grant().token(),
                        next.grant().name(),
                        next.grant().at(),
                        end));
            }
            if (next.end() > longest.end()) {
                longest = next;
            }
        }
        return found;
    }

    /** A grant that had returned before another one was asked for has a smaller token; no two are equal. */
    private static List<Violation> disorder(List<Hold> ofName) {
        List<Violation> found = new ArrayList<>();
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
                found.add(new Violation(
                        "the lock '" + grant.name() + "' was granted under the token " + grant.token() + ", although "
                                + (grant.token() < highest ? highest : "it") + " had been granted before",
                        grant.name(),
                        grant.called(),
                        grant.at()));
            }
        }
        return found;
    }
}
