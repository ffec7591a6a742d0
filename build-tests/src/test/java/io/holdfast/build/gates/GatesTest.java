package io.holdfast.build.gates;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("full")
class GatesTest {

    private static PlantedBuild build;

    @BeforeAll
    static void buildThePlantedModules() throws IOException, InterruptedException {
        build = PlantedBuild.run(Checkout.root().resolve("build-tests/src/test/resources/gates"));
    }

    @Test
    void moduleWithoutViolationsIsBuilt() {
        assertThat(build.succeeded("clean")).as(build.output()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "warnings, RedundantCast.java.*redundant cast to int",
        "warnings, Undocumented.java.*no comment",
        "errors, ForgottenThrow.java.*[DeadException]",
        "errors, NullReturn.java.*[NullAway] returning @Nullable expression",
        "warnings-in-tests, RedundantCastInTest.java.*redundant cast to int",
        "warnings-in-tests, on project planted-warnings-in-tests: Compilation failure",
        "errors-in-tests, ForgottenThrowInTest.java.*[DeadException]",
        "format, Misformatted.java.*@@",
        "format, UnusedImport.java.*-import·java.util.List;",
        "convergence, Dependency convergence error for planted:leaf",
        "no-tests, planted-no-tests: No tests were executed!",
    })
    void moduleThatBreaksAGateFailsWithTheReason(String module, String reason) {
        assertThat(build.failed(module)).as(build.output()).isTrue();
        assertThat(build.output()).containsPattern(inTheSameMessage(reason));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "NullAway checks type arguments on newer compilers only")
    void aNullWhereTypeArgumentsForbidItFails() {
        assertThat(build.output())
                .containsPattern(inTheSameMessage("NullElements.java.*[NullAway] incompatible types"));
    }

    /** The parts of the text in this order, at most a few lines apart. */
    private static String inTheSameMessage(String reason) {
        return reason.replaceAll("([\\[\\]!@-])", "\\\\$1").replace(".*", "(?s:.{0,400}?)");
    }
}
