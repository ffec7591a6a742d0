package io.holdfast.build.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SpecCoverageTest {

    private static final String PLANTED = """
            ## 3 Release
            - **3.1 MUST** A release frees the lock.
              *Intent:* The next one waits for it.
            - **3.2 MUST [STRICT]** Tokens grow.
              *Intent:* A resource can tell old from new.
              *Not tested:* no store here is strict.
            - **3.3 SHOULD** A release is quick.
              *Intent:* Nobody likes to wait.
            """;

    @Test
    void everyMustOfTheSpecificationHasATestOrSaysWhyNot() {
        assertThat(problemsOfTheSpecification(Citations::in)).isEmpty();
    }

    @Test
    void usualBuildTestsEveryMustWithoutTheProfileFull() {
        assertThat(problemsOfTheSpecification(Citations::inUsualBuild)).isEmpty();
    }

    private static List<String> problemsOfTheSpecification(Function<String, Set<String>> citations) {
        Set<String> cited = new TreeSet<>();
        for (String folder : List.of("src/main/java", "src/test/java")) {
            Checkout.sources(folder).forEach(file -> cited.addAll(citations.apply(Checkout.read(file))));
        }

        return SpecCoverage.problems(
                SpecText.parse(Checkout.read(Checkout.root().resolve("SPEC.md"))), cited);
    }

    @Test
    void aSpecificationWhoseMustsAreCitedHasNoProblems() {
        assertThat(problems(PLANTED, "3.1")).isEmpty();
        assertThat(problems(PLANTED, "3.1", "3.3")).isEmpty();
    }

    @Test
    void aMustWithoutATestIsReported() {
        assertThat(problems(PLANTED)).containsExactly("Rule 3.1 is a MUST without a test, and does not say why");
    }

    @Test
    void aReasonWithoutWordsIsNoReason() {
        String silent = PLANTED.replace("no store here is strict.", "");

        assertThat(problems(silent, "3.1")).containsExactly("Rule 3.2 is a MUST without a test, and does not say why");
    }

    @Test
    void aCitedRuleThatDoesNotExistIsReported() {
        assertThat(problems(PLANTED, "3.1", "3.9")).containsExactly("A test cites rule 3.9, which does not exist");
    }

    @Test
    void aTestOfARuleThatSaysItHasNoneIsReported() {
        assertThat(problems(PLANTED, "3.1", "3.2"))
                .containsExactly("Rule 3.2 says that it is not tested, but a test cites it");
    }

    @Test
    void aRuleThatIsWrittenInAnotherFormIsReportedAndNotOverlooked() {
        assertThat(problems(PLANTED + "- **3.4 must** Be lower case.\n", "3.1"))
                .containsExactly("Not in the form of a rule: - **3.4 must** Be lower case.");
    }

    @Test
    void aRuleWithoutIntentOrWithAUsedNumberIsReported() {
        assertThat(problems(PLANTED + "- **3.1 MAY** Twice.\n", "3.1"))
                .containsExactly("Rule 3.1 is there twice", "Rule 3.1 has no intent");
    }

    @Test
    void anEmptySpecificationIsReported() {
        assertThat(problems("# Nothing\n")).containsExactly("The specification has no rules");
    }

    @Test
    void allFormsOfCitationAreFound() {
        String source = "@LockRule(\"3.1\") @LockRule(id = \"3.2\", x = \"9.9\") @LockRule({\"4.1\", \"4.2\"})"
                + " @LockRule(value = {\n\"5.1\"\n})";

        assertThat(Citations.in(source)).containsExactly("3.1", "3.2", "4.1", "4.2", "5.1");
    }

    @Test
    void aCitationInACommentOrATextBlockProvesNothing() {
        String source = "// @LockRule(\"3.1\")\n/** {@code @LockRule(\"3.2\")} */\n"
                + "String text = \"\"\"\n    @LockRule(\"3.3\")\n    \"\"\";";

        assertThat(Citations.in(source)).isEmpty();
    }

    @Test
    void aCommentHidesItsOwnLineAlone() {
        assertThat(Citations.in("// @LockRule(\"3.1\")\n@LockRule(\"3.2\")\n")).containsExactly("3.2");
    }

    @Test
    void usualBuildCitesNothingOfTestsWithTheTagFull() {
        String source = """
                @Proves("3.1")
                class A {

                    @Test
                    @Tag("full")
                    @Proves("3.2")
                    void b() {}

                    @Test
                    @Proves("3.3")
                    void c() {}
                }
                """;

        assertThat(Citations.inUsualBuild(source)).containsExactly("3.1", "3.3");
        assertThat(Citations.inUsualBuild("\n@Tag(\"full\")\n" + source)).isEmpty();
    }

    private static List<String> problems(String spec, String... cited) {
        return SpecCoverage.problems(SpecText.parse(spec), new TreeSet<>(Set.of(cited)));
    }
}
