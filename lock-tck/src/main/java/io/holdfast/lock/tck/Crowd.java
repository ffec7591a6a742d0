package io.holdfast.lock.tck;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Pieces of one test that run at the same time, as they mostly wait. */
final class Crowd {

    private static final int PARTS = 4;

    private Crowd() {}

    /** Runs all of them, and fails as the first of them that failed. */
    static void together(Stream<? extends Pace.Body> pieces) {
        List<Call<?>> running = pieces.<Call<?>>map(Call::running).toList();
        for (Call<?> each : running) {
            rethrowFailureOf(each);
        }
    }

    /** Does the same with all of many, several at a time. */
    static <T> void inParts(List<T> many, Consumer<T> each) {
        together(IntStream.range(0, PARTS).mapToObj(part -> () -> {
            for (int i = part; i < many.size(); i += PARTS) {
                each.accept(many.get(i));
            }
        }));
    }

    /** Does the same with all of many at the same moment, by a thread for each. */
    static <T> void atOnce(List<T> many, Consumer<T> each) {
        CyclicBarrier ready = new CyclicBarrier(many.size());
        together(many.stream().map(one -> () -> {
            ready.await();
            each.accept(one);
        }));
    }

    private static void rethrowFailureOf(Call<?> call) {
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
