package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.spi.LockProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Names that are close to each other: what a store does with one of them by a pattern, a prefix, a collation or a hash, it does
 * with the others too.
 *
 * @param kind how the names are alike, to follow "whose name"
 * @param names the names; first those that a store may take for a pattern or a prefix of the others
 */
record Neighbours(String kind, List<String> names) {

    /** All kinds of neighbours. Nobody has used their names before. */
    static Stream<Neighbours> all() {
        return Stream.of(ofPatterns(), ofTexts(), ofHashes()).flatMap(kinds -> kinds);
    }

    /** Names that a store may take for a pattern or a prefix of others. */
    static Stream<Neighbours> ofPatterns() {
        return Stream.of(
                below("begins alike", "", "1", "10", ":x", "/x", "/x/y", ".x", "-x", "{x}", " x", "\u0001"),
                new Neighbours("is a pattern of SQL for others", sql(newBase())),
                new Neighbours("is a pattern of files for others", glob(newBase())));
    }

    /** Names that a store may compare by a collation, or cut. */
    private static Stream<Neighbours> ofTexts() {
        return Stream.of(
                below(
                        "differs in case",
                        texts(
                                "\u00E9 \u00C9 \u00DF \u1E9E ss SS \u0130 \u0131 i I \u03C3 \u03C2 \u03A3 \u01C6 \u01C5 \u017F s \u212A k \u044F \u042F")),
                below(
                        "has the same characters in another Unicode form",
                        texts(
                                "\u212B \u00C5 A\u030A \uFB01 fi \u2460 1 \uFF21 A \uAC00 \u1100\u1161 e\u0323\u0302 \u1EC7 \u2126 \u03A9")),
                below("differs in accents", texts("e \u00E8 \u00EA \u0451 \u0435 n \u00F1 o \u00F8 \u00F6 l \u0142")),
                below(
                        "differs in what is hardly seen",
                        "x",
                        "x ",
                        "x  ",
                        "x\t",
                        "x\n",
                        "x\r",
                        "x\u00A0",
                        "x\u3000",
                        "x\u200B",
                        "x\u00AD",
                        "x\uFE0F",
                        "\u200Ex"),
                below("is the same number or another", texts("1 01 1.0 1e0 +1 -1 \uFF11 0x1 1L")),
                bytes(newBase()),
                longOnes(newBase()));
    }

    /** Pairs of names of one hash, short ones and long ones. */
    private static Stream<Neighbours> ofHashes() {
        return HashTwins.hashes().keySet().stream().flatMap(Neighbours::ofHash);
    }

    private static Stream<Neighbours> ofHash(String hash) {
        Neighbours twins = new Neighbours("has the same hash, by " + hash, HashTwins.next(hash));
        return Stream.concat(
                Stream.of(twins),
                HashTwins.nextOfManyCharacters(hash).stream()
                        .map(names -> new Neighbours(
                                "begins with the same characters and has the same hash, by " + hash, names)));
    }

    /** Claims that hold a lock of each name, but for those that the provider refuses. */
    List<DrivenClaim> held(Kit kit, LockProvider provider, Duration lease) {
        List<DrivenClaim> held = new ArrayList<>();
        for (String name : names) {
            kit.unlessRefused(() -> granted(kit, provider, name, lease)).ifPresent(held::add);
        }
        return held;
    }

    /** A claim that holds a lock of one of the names. */
    DrivenClaim granted(Kit kit, LockProvider provider, String name, Duration lease) {
        DrivenClaim claim = kit.claim(provider, name).leasing(lease).make();
        claim.mustBeGranted(
                "nobody holds the lock " + TrickyNames.shown(name) + "; only locks are held whose name " + kind);
        return claim;
    }

    private static String newBase() {
        return "tck-" + UUID.randomUUID();
    }

    private static String[] texts(String separated) {
        return separated.split(" ");
    }

    private static Neighbours below(String kind, String... suffixes) {
        return new Neighbours(kind, Stream.of(suffixes).map(newBase()::concat).toList());
    }

    private static List<String> sql(String base) {
        String rest = base.substring(1);
        return List.of(
                base + "%",
                base + "_",
                "_" + rest,
                "%" + rest,
                base + "%b",
                base + "[ab]",
                base + "a",
                base + "ab",
                base + "\\%",
                base);
    }

    private static List<String> glob(String base) {
        String rest = base.substring(1);
        return List.of(
                base + "*",
                base + "?",
                "?" + rest,
                "*" + rest,
                "." + rest,
                base + ".*",
                base + "[a-z]",
                base + "[^b]",
                base + "{a,b}",
                base + "a",
                base + "ab",
                base + "\\*",
                base);
    }

    /** Two characters of Latin 1 are the bytes of one in UTF-16: of a letter and a digit that is a Chinese character. */
    private static Neighbours bytes(String base) {
        byte[] latin = base.getBytes(StandardCharsets.ISO_8859_1);
        return new Neighbours(
                "has the same bytes in another encoding",
                List.of(
                        base,
                        new String(latin, StandardCharsets.UTF_16BE),
                        new String(latin, StandardCharsets.UTF_16LE)));
    }

    /** Names that differ in the last or in the middle one of many characters, of one to four bytes each. */
    private static Neighbours longOnes(String base) {
        List<String> names = new ArrayList<>();
        for (String character : List.of("x", "\u00E9", "\u20AC", "\uD83D\uDD12")) {
            String tail = character.repeat((DistributedLock.MAX_NAME_LENGTH - base.length() - 2) / character.length());
            int middle = tail.length() / 2 / character.length() * character.length();
            names.add(base + tail + "1");
            names.add(base + tail + "2");
            names.add(base + tail.substring(0, middle) + "1" + tail.substring(middle));
            names.add(base + tail.substring(0, middle) + "2" + tail.substring(middle));
        }
        return new Neighbours("differs in one of many characters", names);
    }
}
