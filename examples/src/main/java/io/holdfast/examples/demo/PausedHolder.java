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
    public List<DemoVerdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.shop().restock(ShopDatabase.UNGUARDED_COPY, STOCK);
        scene.shop().restock(ShopDatabase.ITEM, STOCK);
        scene.screen().text("No lock can stop a holder that slept while its lease ended. The table can: it keeps the");
        scene.screen().text("highest fencing token that it has seen, and refuses a smaller one.");
        scene.screen()
                .text("The stock is " + STOCK + ". A wants to sell " + SOLD_BY_A + ", B wants to sell " + SOLD_BY_B
                        + ".");
        try (Worker a = start(scene, "holder-A", scene.stage().renewsSleeper());
                Worker b = start(scene, "holder-B", true)) {
            a.await(SleepyHolder.READY, START_BOUND);
            b.await(SleepyHolder.READY, START_BOUND);
            scene.screen().detail("holders ready: " + a.place() + ", " + b.place());
            return judge(scene, play(scene, a, b));
        }
    }

    private static Worker start(Scene scene, String name, boolean renewed) {
        Duration lease = scene.size().lease();
        SleepyHolder.Order order =
                new SleepyHolder.Order(scene.shop().url(), scene.store().uri(), lease, renewed);
        return scene.stage().start(name, order.toWords());
    }

    /** One holder's part: its grant, its sale, and how its hold ended. */
    private record Part(Hold hold, Sale sale, String end) {}

    /** What happened, and how long B had to wait, counted from before A's grant. */
    private record Story(Part a, Part b, Duration waited) {}

    private static Story play(Scene scene, Worker a, Worker b) {
        Timeline timeline = new Timeline(scene.screen());
        Hold holdOfA = take(a);
        timeline.add("A", "takes the lock with token " + holdOfA.token() + " and reads " + holdOfA.units());
        a.pause();
        timeline.add(
                "A",
                scene.stage().pausing() + "; its lease: "
                        + Screen.seconds(scene.size().lease()));
        Hold holdOfB = take(b);
        Duration waited = timeline.elapsed();
        timeline.add("B", "gets the lock with token " + holdOfB.token() + " and reads " + holdOfB.units());
        Sale saleOfB = sell(b, SOLD_BY_B);
        timeline.add("B", "writes " + (holdOfB.units() - SOLD_BY_B) + ": " + saleOfB.answer());
        String endOfB = release(b);
        a.resume();
        timeline.add("A", "goes on, as if nothing had happened");
        Sale saleOfA = sell(a, SOLD_BY_A);
        timeline.add("A", "writes " + (holdOfA.units() - SOLD_BY_A) + ", which is stale: " + saleOfA.answer());
        String endOfA = release(a);
        timeline.add("A", "asks: isHeld() says " + saleOfA.believed() + ", lost() says " + endOfA);
        Part partOfA = new Part(holdOfA, saleOfA, endOfA);
        return new Story(partOfA, new Part(holdOfB, saleOfB, endOfB), waited);
    }

    private static List<DemoVerdict> judge(Scene scene, Story story) throws SQLException {
        Part a = story.a();
        Part b = story.b();
        return List.of(
                new DemoVerdict(
                        story.waited().compareTo(scene.size().lease()) >= 0
                                && b.end().equals(SleepyHolder.KEPT),
                        "B gets the lock when A's lease has ended, not before",
                        "after " + Screen.seconds(story.waited())),
                new DemoVerdict(
                        b.hold().token() > a.hold().token() && b.sale().accepted(),
                        "B's token is the larger one",
                        b.hold().token() + " after " + a.hold().token() + "; B's write was "
                                + b.sale().answer()),
                guarded(scene, a.sale()),
                control(scene),
                new DemoVerdict(
                        !a.sale().believed() && !a.end().equals(SleepyHolder.KEPT),
                        "A learns of its loss",
                        "isHeld() " + a.sale().believed() + ", lost() " + a.end()));
    }

    private static DemoVerdict guarded(Scene scene, Sale saleOfA) throws SQLException {
        int units = scene.shop().units(ShopDatabase.ITEM);
        return new DemoVerdict(
                !saleOfA.accepted() && units == STOCK - SOLD_BY_B,
                "the fencing guard refuses A's stale write",
                "it was " + saleOfA.answer() + ", the table says " + units);
    }

    private static DemoVerdict control(Scene scene) throws SQLException {
        int units = scene.shop().units(ShopDatabase.UNGUARDED_COPY);
        return new DemoVerdict(
                units == STOCK - SOLD_BY_A,
                "without the guard B's sale would be lost",
                "a copy of the row without a guard says " + units);
    }

    private record Hold(long token, int units) {}

    private static Hold take(Worker holder) {
        holder.tell(SleepyHolder.TAKE);
        String[] words = holder.await(SleepyHolder.HOLDS, ANSWER_BOUND).split(" ", -1);
        return new Hold(Long.parseLong(words[0]), Integer.parseInt(words[1]));
    }

    private record Sale(boolean accepted, boolean believed) {

        String answer() {
            return accepted ? "accepted" : "refused";
        }
    }

    private static Sale sell(Worker holder, int units) {
        holder.tell(SleepyHolder.SELL + " " + units);
        String[] words = holder.await(SleepyHolder.SOLD, ANSWER_BOUND).split(" ", -1);
        return new Sale(
                SleepyHolder.Guard.valueOf(words[0]) == SleepyHolder.Guard.ACCEPTED, Boolean.parseBoolean(words[1]));
    }

    private static String release(Worker holder) {
        holder.tell(SleepyHolder.RELEASE);
        return holder.await(SleepyHolder.ENDED, ANSWER_BOUND);
    }

    /** What happened when, counted from before the first event. */
    private static final class Timeline {
        private final Screen screen;
        private final long start = System.nanoTime();

        Timeline(Screen screen) {
            this.screen = screen;
        }

        Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - start);
        }

        void add(String who, String what) {
            screen.text(String.format("%6s  %s  %s", Screen.seconds(elapsed()), who, what));
        }
    }
}
