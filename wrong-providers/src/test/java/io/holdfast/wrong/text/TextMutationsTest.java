package io.holdfast.wrong.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.wrong.text.MutableText.Use;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mutants of scripts and statements. */
class TextMutationsTest {

    private static List<String> names(String file) {
        return TextMutations.of(file::equals).map(TextMutation::name).toList();
    }

    private static List<String> lua(String text) {
        return mutants("a.lua", text, TextStore.HASH);
    }

    private static List<String> sql(String text) {
        return mutants("a.sql", text, TextStore.H2);
    }

    private static List<String> mutants(String name, String text, TextStore store) {
        return new MutableText(name, name, text, store, Use.BY_LOCKS)
                .mutations().stream()
                        .map(TextMutation::change)
                        .map(TextChange::after)
                        .toList();
    }

    @Test
    void namesAreTheSameInEveryRunAndDiffer() {
        List<String> names =
                TextMutations.of(file -> true).map(TextMutation::name).toList();
        assertThat(names)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(1000)
                .isEqualTo(
                        TextMutations.of(file -> true).map(TextMutation::name).toList());
        assertThat(names("hash-acquire.lua")).contains("hash-acquire.lua:16:26 ~= -> ==");
        assertThat(names("PostgreSqlDialect.sweep"))
                .contains("PostgreSqlDialect.sweep:2:52 < -> <=", "PostgreSqlDialect.sweep:3:27 dropped SKIP LOCKED");
    }

    @Test
    void placesDifferAndKeepTheirNamesWhenOtherLinesChange() {
        assertThat(TextMutations.of(file -> true).map(TextMutation::place)).doesNotHaveDuplicates();
        String line = "  if a ~= b and c ~= d then";
        assertThat(places(line))
                .startsWith(
                        "a.lua | ~= -> == | if a ~= b and c ~= d then",
                        "a.lua | and -> or | if a ~= b and c ~= d then",
                        "a.lua | ~= -> == | if a ~= b and c ~= d then (2)")
                .isEqualTo(places("local e\n" + line));
    }

    private static List<String> places(String text) {
        return new MutableText("a.lua", "a.lua", text, TextStore.HASH, Use.BY_LOCKS)
                .mutations().stream().map(TextMutation::place).toList();
    }

    @Test
    void eachChangesItsFile() {
        assertThat(TextMutations.of(file -> true))
                .allSatisfy(mutation ->
                        assertThat(ChangedBackend.with(mutation.change())).isNotNull());
    }

    @Test
    void luaIsChangedInOneWord() {
        assertThat(lua("if a ~= 2 then -- 1 ~= 2\n"))
                .containsExactly(
                        "if a == 2 then -- 1 ~= 2\n",
                        "if a ~= 0 then -- 1 ~= 2\n",
                        "if a ~= 1 then -- 1 ~= 2\n",
                        "if a ~= 3 then -- 1 ~= 2\n");
        assertThat(lua("f(KEYS[1], ARGV[2])"))
                .containsExactly("f(KEYS[2], ARGV[2])", "f(KEYS[1], ARGV[1])", "f(KEYS[1], ARGV[3])");
        assertThat(lua("x = redis.call('SET', k, v, 'NX', 'PX', t)"))
                .containsExactly("x = redis.call('SET', k, v , 'PX', t)", "x = redis.call('SET', k, v, 'NX', 'EX', t)");
    }

    @Test
    void luaLosesOneCall() {
        assertThat(lua("call('A', {\n (b) })\nx = call('C')\n")).containsExactly(" \nx = call('C')\n");
    }

    @Test
    void sqlIsChangedInOneWord() {
        assertThat(sql("SELECT GREATEST(a, 7) - TRUE -- 1 < 2"))
                .containsExactly(
                        "SELECT LEAST(a, 7) - TRUE -- 1 < 2",
                        "SELECT GREATEST(a, 0) - TRUE -- 1 < 2",
                        "SELECT GREATEST(a, 1) - TRUE -- 1 < 2",
                        "SELECT GREATEST(a, 8) - TRUE -- 1 < 2",
                        "SELECT GREATEST(a, 7) + TRUE -- 1 < 2",
                        "SELECT GREATEST(a, 7) - FALSE -- 1 < 2");
    }

    @Test
    void sqlLosesOneCondition() {
        assertThat(sql("DELETE FROM t WHERE (a AND f(b)) AND c RETURNING d"))
                .contains(
                        "DELETE FROM t WHERE   c RETURNING d",
                        "DELETE FROM t WHERE (a  ) AND c RETURNING d",
                        "DELETE FROM t WHERE (a AND f(b))   RETURNING d");
        assertThat(sql("SELECT (SELECT a WHERE b) FROM t")).containsExactly("SELECT (SELECT a  ) FROM t");
    }

    @Test
    @Tag("server")
    void mutantThatTheServerCannotParseDoesNotRun() {
        MutableText script = TextMutations.texts().get(0);
        TextMutation broken = new TextMutation("broken", "broken", script, new TextEdit(0, 0, "if ", "broken"));
        assertThat(broken.runs()).isFalse();
        assertThat(TextMutations.of("hash-renew.lua"::equals)).allMatch(TextMutation::runs);
    }

    @Test
    @Tag("server")
    void statementThatTheDatabaseCannotParseDoesNotRun() {
        assertThat(TextMutations.of("PostgreSqlDialect.renew"::equals).filter(TextMutation::runs))
                .extracting(TextMutation::name)
                .contains("PostgreSqlDialect.renew:13:31 dropped SKIP LOCKED")
                .doesNotContain("PostgreSqlDialect.renew:16:20 = -> <>")
                .hasSizeGreaterThan(30);
    }

    /** Also those whose values an attempt alone has, and in which numbers are filled in. */
    @Test
    @Tag("server")
    void statementsOfAllDialectsHaveMutantsThatRun() {
        for (String dialect : List.of("PostgreSqlDialect", "MariaDbDialect", "H2Dialect")) {
            assertThat(TextMutations.of((dialect + ".acquire")::equals).filter(TextMutation::runs))
                    .as(dialect)
                    .hasSizeGreaterThan(10);
        }
    }
}
