package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private static final String ESCAPE = "\u001b";

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void aPlainScreenHasNoEscapesAndNoMovingBar() {
        Screen screen = screen(Screen.Style.PLAIN);
        screen.heading("heading");
        screen.verdict(new DemoVerdict(true, "claim", "seen"));
        assertThat(screen.live()).isFalse();
        assertThat(text()).contains("heading", "PASS  claim: seen").doesNotContain(ESCAPE, "\r");
    }

    @Test
    void aLiveScreenWithoutColoursMovesItsBarAndHasNoEscapes() {
        Screen screen = screen(Screen.Style.LIVE);
        screen.bar(50, 100);
        screen.verdict(new DemoVerdict(false, "claim", "seen"));
        assertThat(text())
                .contains("\r   [####################....................] 50 of 100 sold", "FAIL  claim: seen")
                .doesNotContain(ESCAPE);
    }

    @Test
    void aBarNeverGrowsBeyondItsEnd() {
        screen(Screen.Style.COLOURED).bar(720, 100);
        assertThat(text()).contains("[" + "#".repeat(40) + "]", "720 of 100 sold", ESCAPE);
    }

    @Test
    void aClosedScreenShowsItsLastLineOnceAndNothingMore() {
        Screen screen = screen(Screen.Style.PLAIN);
        screen.close("stopped");
        screen.close("stopped");
        screen.text("later");
        assertThat(text()).isEqualTo("\nstopped\n");
    }

    private Screen screen(Screen.Style style) {
        return new Screen(new PrintStream(output, true, StandardCharsets.UTF_8), style);
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }
}
