package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The third act: a holder sleeps past its lease. No lock can stop what it does when it wakes up; the table can, because it
 * checks the token.
 */
final class PausedHolder implements Act {
    private static final Duration START_BOUND = Duration.ofSeconds(30);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(15);
    private static final int STOCK = 10;
    private static final int SOLD_BY_A = 1;
    private static final int SOLD_BY_B = 3;

    @Override
    public String title() {
        return "A holder that sleeps past its lease";
    }

    @Override
    public List<Verdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.shop().restock(ShopDatabase.UNGUARDED_COPY, STOCK);
        scene.shop().restock(ShopDatabase.ITEM, STOCK);
        scene.screen().text("A lock cannot stop a holder that was asleep when its lease ended. The table can: it keeps");
        scene.screen().text("the highest fencing token that it has seen, and refuses a smaller one. " + STOCK
                + " units; A sells " + SOLD_BY_A + ", B sells " + SOLD_BY_B + ".");
        List<String> order = new SleepyHolder.Order(
                        scene.shop().url(),
                        scene.lockUri(),
                        scene.size().lease(),
                        scene.stage().holderRenewal())
                .toWords();
        try (Worker a = scene.stage().start("holder-A", order);
                Worker b = scene.stage().start("holder-B", order)) {
            a.await(SleepyHolder.READY, START_BOUND);
            b.await(SleepyHolder.READY, START_BOUND);
            return play(scene, a, b);
        }
    }

    private static List<Verdict> play(Scene scene, Worker a, Worker b) throws SQLException {
        Timeline timeline = new Timeline(scene.screen());
        Hold holdOfA = take(a);
        timeline.add("A", "holds the lock with token " + holdOfA.token() + ", reads " + holdOfA.units() + " units ("
                + a.place() + ")");
        a.pause();
        timeline.add("A", scene.stage().pausing() + "; its lease is " + Screen.seconds(scene.size().lease()));
        Hold holdOfB = take(b);
        timeline.add("B", "gets the lock with token " + holdOfB.token() + ", reads " + holdOfB.units() + " units ("
                + b.place() + ")");
        Sale saleOfB = sell(b, SOLD_BY_B);
        b.tell(SleepyHolder.RELEASE);
        b.await(SleepyHolder.ENDED, ANSWER_BOUND);
        timeline.add("B", "writes " + (holdOfB.units() - SOLD_BY_B) + ": " + saleOfB.guardSaid() + "; gives the lock back");
        a.resume();
        timeline.add("A", "goes on, as if nothing had happened");
        Sale saleOfA = sell(a, SOLD_BY_A);
        timeline.add("A", "writes " + (holdOfA.units() - SOLD_BY_A) + " with its old token: " + saleOfA.guardSaid());
        a.tell(SleepyHolder.RELEASE);
        String endOfA = a.await(SleepyHolder.ENDED, ANSWER_BOUND);
        timeline.add("A", "is told: isHeld() was " + saleOfA.believed() + ", lost() says " + endOfA);
        return List.of(
                new Verdict(
                        holdOfB.token() > holdOfA.token() && saleOfB.accepted(),
                        "B got the lock when A's lease had ended, with a larger token; its write was accepted"),
                guarded(scene, saleOfA),
                control(scene),
                new Verdict(
                        !saleOfA.believed() && !endOfA.equals(SleepyHolder.KEPT),
                        "A was told of its loss: isHeld() " + saleOfA.believed() + ", lost() " + endOfA));
    }

    private static Verdict guarded(Scene scene, Sale saleOfA) throws SQLException {
        int units = scene.shop().units(ShopDatabase.ITEM);
        return new Verdict(
                !saleOfA.accepted() && units == STOCK - SOLD_BY_B,
                "the guard refused A's stale write: the table says " + units + ", B's sale counts");
    }

    private static Verdict control(Scene scene) throws SQLException {
        int units = scene.shop().units(ShopDatabase.UNGUARDED_COPY);
        return new Verdict(
                units == STOCK - SOLD_BY_A,
                "and it was needed: an unguarded copy of the row says " + units + ", B's sale of " + SOLD_BY_B
                        + " is gone from it");
    }

    private record Hold(long token, int units) {}

    private static Hold take(Worker holder) {
        holder.tell(SleepyHolder.TAKE);
        String[] words = holder.await(SleepyHolder.HOLDS, ANSWER_BOUND).split(" ");
        return new Hold(Long.parseLong(words[0]), Integer.parseInt(words[1]));
    }

    private record Sale(boolean accepted, boolean believed) {

        String guardSaid() {
            return accepted ? "accepted" : "refused";
        }
    }

    private static Sale sell(Worker holder, int units) {
        holder.tell(SleepyHolder.SELL + " " + units);
        String[] words = holder.await(SleepyHolder.SOLD, ANSWER_BOUND).split(" ");
        return new Sale(SleepyHolder.Guard.valueOf(words[0]) == SleepyHolder.Guard.ACCEPTED, Boolean.parseBoolean(words[1]));
    }

    /** What happened when, counted from the first event. */
    private static final class Timeline {
        private final Screen screen;
        private long start;

        Timeline(Screen screen) {
            this.screen = screen;
        }

        void add(String who, String what) {
            long now = System.nanoTime();
            if (start == 0) {
                start = now;
            }
            screen.text(String.format("%8s  %s  %s", Screen.seconds(Duration.ofNanos(now - start)), who, what));
        }
    }
}
