package io.holdfast.build.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SkippedTestsTest {

    /** Surefire counts the skipped tests but keeps their reasons to itself: they are printed here. */
    @Test
    void everySkippedTestSaysWhy() throws IOException {
        List<SkippedTest> skipped = new ArrayList<>();
        for (Path report : Checkout.files("target/surefire-reports", ".xml")) {
            // The reports of this module are being written now.
            if (!report.startsWith(Checkout.root().resolve("build-tests"))) {
                skipped.addAll(SkippedTest.in(Checkout.read(report)));
            }
        }

        skipped.forEach(test -> System.out.println("[SKIPPED] " + test.name() + ": " + test.reason()));

        assertThat(skipped).noneMatch(test -> test.reason().isEmpty());
    }

    @Test
    void aSkippedTestIsFoundInAReportWithItsReason() throws IOException {
        String report = """
                <testsuite>
                    <testcase classname="A" name="runs"/>
                    <testcase classname="A" name="rests"><skipped message="no FIFO"/></testcase>
                    <testcase classname="A" name="isSilent"><skipped/></testcase>
                    <testcase classname="A" name="throws"><skipped type="b.Aborted">b.Aborted:
                    no PUSH
                        at b.C.d(C.java:1)
                    </skipped></testcase>
                </testsuite>
                """;

        assertThat(SkippedTest.in(report))
                .containsExactly(
                        new SkippedTest("A.rests", "no FIFO"),
                        new SkippedTest("A.isSilent", ""),
                        new SkippedTest("A.throws", "no PUSH"));
    }
}
