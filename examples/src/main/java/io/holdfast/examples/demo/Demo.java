package io.holdfast.examples.demo;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The demo program: {@code ./demo} in the project's root directory builds and starts it.
 *
 * <p>Exit codes: 0 if every claim held, 1 if one did not, 2 for wrong arguments, 3 if the demo could not be carried out.
 */
public final class Demo {
    static final int ALL_HELD = 0;
    static final int CLAIM_FAILED = 1;
    static final int WRONG_ARGUMENTS = 2;
    static final int COULD_NOT_RUN = 3;

    private Demo() {}

    /**
     * Runs the program. The system property {@code demo.terminal} says whether the output is a terminal; the environment
     * variable {@code NO_COLOR} turns colours off.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        // Servers and clients log at length how they start and stop.
        Logger.getLogger("").setLevel(Level.WARNING);
        Screen screen = new Screen(System.out, style());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> screen.close("Stopped.")));
        int code = run(List.of(arguments), screen);
        screen.close();
        System.exit(code);
    }

    private static int run(List<String> words, Screen screen) {
        try {
            DemoArguments arguments = DemoArguments.parse(words);
            if (arguments.help()) {
                screen.plain(DemoArguments.helpText());
                return ALL_HELD;
            }
            DemoRun demo = arguments.migrate()
                    ? new DemoRun(DemoRun.MOVE, arguments.backend(), DemoSize.MOVE, screen)
                    : new DemoRun(DemoRun.SALE, arguments.backend(), DemoSize.STANDARD, screen);
            return run(demo, screen);
        } catch (DemoArguments.UsageException wrong) {
            System.err.println("demo: " + wrong.getMessage());
            return WRONG_ARGUMENTS;
        }
    }

    /** Plays a demo and says how it went, as an exit code. */
    static int run(DemoRun demo, Screen screen) {
        try {
            return demo.play().stream().allMatch(DemoVerdict::holds) ? ALL_HELD : CLAIM_FAILED;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return COULD_NOT_RUN;
        } catch (SQLException | RuntimeException failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            screen.heading("The demo could not be carried out");
            screen.plain(trace.toString());
            return COULD_NOT_RUN;
        }
    }

    private static Screen.Style style() {
        if (!Boolean.getBoolean("demo.terminal") || "dumb".equals(System.getenv("TERM"))) {
            return Screen.Style.PLAIN;
        }
        String noColour = System.getenv("NO_COLOR");
        return noColour == null || noColour.isEmpty() ? Screen.Style.COLOURED : Screen.Style.LIVE;
    }
}
