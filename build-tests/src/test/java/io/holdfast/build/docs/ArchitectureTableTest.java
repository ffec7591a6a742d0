package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table "Where is what" of the architecture page: each type is one of the engine's, each method stands in it. */
class ArchitectureTableTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| [^|]*\\? \\| `(\\w+)`[^|]*\\| (.*) \\|$");
    private static final Pattern METHOD = Pattern.compile("`(?:([A-Z]\\w*)\\.)?([a-z]\\w*)(?:\\(\\w*\\))?`");
    private static final Path PAGE = Checkout.root().resolve("docs/architecture.md");

    @Test
    void everyTypeAndMethodOfTheTableIsInTheEngine() {
        String page = Checkout.read(PAGE);
        assertThat(ROW.matcher(page).results()).hasSizeGreaterThan(10);

        assertThat(missing(page, engine())).isEmpty();
    }

    @Test
    void plantedTypeAndMethodsThatAreGoneAreFound() {
        String table = """
                | Where is the queue? | `Turn`, a field | `add` |
                | Who decides? | `WaitPolicy` | `next`, `WaitPolicy.decide`, `then(Waiter)` |
                """;

        assertThat(missing(table, Map.of("WaitPolicy", "Decision next(Situation known) {}")))
                .containsExactly("Turn", "WaitPolicy.decide", "WaitPolicy.then");
    }

    private static List<String> missing(String page, Map<String, String> sources) {
        List<String> missing = new ArrayList<>();
        ROW.matcher(page).results().forEach(row -> {
            String type = row.group(1);
            if (!sources.containsKey(type)) {
                missing.add(type);
                return;
            }
            METHOD.matcher(row.group(2)).results().forEach(method -> {
                String in = method.group(1) == null ? type : method.group(1);
                if (!sources.getOrDefault(in, "").contains(" " + method.group(2) + "(")) {
                    missing.add(in + "." + method.group(2));
                }
            });
        });
        return missing;
    }

    private static Map<String, String> engine() {
        Path engine = Checkout.root().resolve("lock-core/src/main/java");
        Map<String, String> sources = new TreeMap<>();
        Checkout.filesBelow(engine, ".java")
                .forEach(file -> sources.put(file.getFileName().toString().replace(".java", ""), Checkout.read(file)));
        return sources;
    }
}
