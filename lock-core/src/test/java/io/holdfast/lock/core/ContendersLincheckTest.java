package io.holdfast.lock.core;

import static io.holdfast.lock.core.Programs.step;
import static io.holdfast.lock.core.Programs.thread;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Acquires of three callers join and leave the queue of one name. Each answer is that of a plain list: so the first is the only
 * contender, and whoever becomes the first is told so, by its own joining or by the leaving of the one before it.
 */
public class ContendersLincheckTest {

    private static final int NOBODY = -1;

    private final Contenders contenders = new Contenders();
    private final ModelledEngine world = new ModelledEngine();
    private final List<Acquisition> acquisitions = Stream.of("one", "two", "three")
            .map(caller -> world.acquisition(new OwnerId(caller, OwnerId.Sharing.NOBODY)))
            .toList();

    public void begin() {}

    public boolean join(int caller) {
        return contenders.join(ModelledEngine.LOCK, acquisitions.get(caller));
    }

    public int leave(int caller) {
        return number(contenders.leave(ModelledEngine.LOCK, acquisitions.get(caller)));
    }

    public int first() {
        return number(contenders.first(ModelledEngine.LOCK));
    }

    public int waiting() {
        return contenders.waiting(ModelledEngine.LOCK).size();
    }

    private int number(Optional<Acquisition> acquisition) {
        return acquisition.map(acquisitions::indexOf).orElse(NOBODY);
    }

    @Test
    void thereIsOneContenderAtATimeAndNobodyIsLeftBehind() {
        Programs.of(ContendersLincheckTest.class, 60)
                .likeOneThreadOf(OneThread.class)
                .program(thread(step("join", 0), step("leave", 0)), thread(step("join", 1), step("leave", 1)))
                .program(
                        thread(step("join", 0), step("leave", 0)),
                        thread(step("join", 1), step("first")),
                        thread(step("join", 2), step("waiting")))
                .program(
                        thread(step("join", 0), step("join", 1), step("leave", 0)),
                        thread(step("leave", 1), step("join", 2)))
                .check();
    }

    /** A plain list. */
    public static final class OneThread {
        private final List<Integer> queue = new ArrayList<>();

        public void begin() {}

        public boolean join(int caller) {
            queue.add(caller);
            return queue.size() == 1;
        }

        public int leave(int caller) {
            boolean contends = first() == caller;
            queue.remove((Integer) caller);
            return contends ? first() : NOBODY;
        }

        public int first() {
            return queue.isEmpty() ? NOBODY : queue.get(0);
        }

        public int waiting() {
            return queue.size();
        }
    }
}
