package io.holdfast.build.docs;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's Markdown documents, read from the source tree that the test runs in. */
final class Documents {

    private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules");
    private static final Pattern FENCED = Pattern.compile("(?ms)^(?:```|~~~).*?^(?:```|~~~)\\s*?$");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\[]*]\\(([^)\\s]+)[^)]*\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+?)\\s*$");

    private Documents() {}

    /** A link of a document. */
    record Link(Path document, String target) {}

    static String readme() {
        return Checkout.read(Checkout.root().resolve("README.md"));
    }

    /** All Markdown files below a directory, but for hidden directories and build output. */
    static List<Path> below(Path directory) {
        List<Path> found = new ArrayList<>();
        SimpleFileVisitor<Path> collector = new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = !folder.equals(directory) && (name.startsWith(".") || NOT_SOURCES.contains(name));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        };
        try {
            Files.walkFileTree(directory, collector);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return found;
    }

    /** The links of a document that lead to a file of the project. */
    static Stream<Link> relativeLinks(Path document) {
        return LINK.matcher(withoutCode(Checkout.read(document)))
                .results()
                .map(match -> match.group(1))
                .filter(target -> !target.matches("[a-z][a-z0-9+.-]*:.*"))
                .map(target -> new Link(document, target));
    }

    /** The document itself, and every document that can be reached from it by links. */
    static Set<Path> reachableFrom(Path document) {
        Set<Path> reached = new HashSet<>();
        Deque<Path> toVisit = new ArrayDeque<>(List.of(document.normalize()));
        while (!toVisit.isEmpty()) {
            Path next = toVisit.remove();
            if (next.toString().endsWith(".md") && Files.isRegularFile(next) && reached.add(next)) {
                relativeLinks(next).map(Documents::fileOf).forEach(toVisit::add);
            }
        }
        return reached;
    }

    /** Whether the file of a link exists and, if the link names a heading, has that heading. */
    static boolean resolves(Link link) {
        int hash = link.target().indexOf('#');
        Path file = fileOf(link);
        return Files.isRegularFile(file)
                && (hash < 0
                        || anchors(Checkout.read(file)).contains(link.target().substring(hash + 1)));
    }

    private static Path fileOf(Link link) {
        String path = link.target().replaceFirst("#.*", "");
        return path.isEmpty()
                ? link.document()
                : link.document().resolveSibling(path).normalize();
    }

    /** The anchors that a Markdown viewer makes of headings. */
    private static List<String> anchors(String markdown) {
        List<String> anchors = new ArrayList<>();
        Matcher heading = HEADING.matcher(FENCED.matcher(markdown).replaceAll(""));
        while (heading.find()) {
            anchors.add(heading.group(1)
                    .toLowerCase(java.util.Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }

    /** Brackets and parentheses in code are not links. */
    private static String withoutCode(String markdown) {
        return INLINE_CODE.matcher(FENCED.matcher(markdown).replaceAll("")).replaceAll("");
    }
}
