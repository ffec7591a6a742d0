package io.holdfast.lock.tck;

import java.util.List;
import java.util.stream.Stream;

/** Pieces of one test that run at the same time, as they mostly wait. */
final class Crowd {

    private Crowd() {}

    /** Runs all of them, and fails as the first of them that failed. */
    static void together(Stream<? extends Pace.Body> pieces) {
        List<Call<Boolean>> running = pieces.<Call<Boolean>>map(piece -> Call.start(() -> {
                    piece.run();
                    return true;
                }))
                .toList();
        for (Call<Boolean> each : running) {
            rethrowFailureOf(each);
        }
    }

    private static void rethrowFailureOf(Call<Boolean> call) {
        try {
            call.result();
        } catch (AssertionError failed) {
            if (failed.getCause() instanceof AssertionError assertion) {
                throw assertion;
            }
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw failed;
        }
    }
}
