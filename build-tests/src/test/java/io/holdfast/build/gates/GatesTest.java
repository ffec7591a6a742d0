package io.holdfast.build.gates;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatesTest {

    private static PlantedBuild build;

    @BeforeAll
    static void buildThePlantedModules() throws IOException, InterruptedException {
        build = PlantedBuild.run(Checkout.root().resolve("build-tests/src/test/resources/gates"));
    }

    @Test
    void aModuleThatBreaksNothingIsBuilt() {
        assertThat(build.succeeded("clean")).as(build.output()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "warnings, RedundantCast.java.*[cast] redundant cast to int",
        "warnings, UnusedConstant.java.*[UnusedVariable]",
        "warnings, Undocumented.java.*no comment",
        "errors, ForgottenThrow.java.*[DeadException]",
        "errors, NullReturn.java.*[NullAway] returning @Nullable expression",
        "warnings-in-tests, RedundantCastInTest.java.*[cast] redundant cast to int",
        "warnings-in-tests, UnusedConstantInTest.java.*[UnusedVariable]",
        "format, Misformatted.java.*@@",
        "format, UnusedImport.java.*-import·java.util.List;",
        "no-tests, planted-no-tests: No tests were executed!",
    })
    void aModuleThatBreaksAGateFailsAndTheReasonIsNamed(String module, String reason) {
        assertThat(build.failed(module)).as(build.output()).isTrue();
        assertThat(build.output()).containsPattern(inTheSameMessage(reason));
    }

    /** The parts of the text in this order, at most a few lines apart. */
    private static String inTheSameMessage(String reason) {
        return reason.replaceAll("([\\[\\]!@-])", "\\\\$1").replace(".*", "(?s:.{0,400}?)");
    }
}
