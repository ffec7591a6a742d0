package io.holdfast.examples.migration;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.core.migration.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The program of a child JVM: takes locks, one after the other and with several threads, until a line comes in. Each hold goes
 * into the evidence.
 *
 * <p>Some names belong to all members, one to each member and those that take its place, and one to members that are not in
 * {@link Phase#BOTH}: nobody takes it in the middle of a move.
 */
final class FleetMember {
    static final String READY = "ready";
    static final String GONE = "gone";

    private static final List<String> CONTENDED = List.of("fleet:contended-1", "fleet:contended-2");
    private static final String AT_BOTH_ENDS = "fleet:at-both-ends";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LONGEST_WORK = Duration.ofMillis(6).toNanos();
    private static final long LONGEST_REST = Duration.ofMillis(30).toNanos();

    private final Evidence evidence;
    private final String member;
    private final String phase;
    private volatile boolean stopped;

    private FleetMember(Evidence evidence, String member, String phase) {
        this.evidence = evidence;
        this.member = member;
        this.phase = phase;
    }

    /** All names that a fleet takes. */
    static List<String> names(int members) {
        List<String> names = new ArrayList<>(CONTENDED);
        names.add(AT_BOTH_ENDS);
        for (int i = 0; i < members; i++) {
            names.add(own(i));
        }
        return names;
    }

    private static String own(int place) {
        return "fleet:own-" + place;
    }

    /**
     * Runs the program.
     *
     * @param arguments the directory of the evidence, the member's name, its place in the fleet, its phase and the URI of its
     *     client
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        FleetMember member = new FleetMember(new Evidence(Path.of(arguments[0])), arguments[1], arguments[3]);
        List<String> names = new ArrayList<>(CONTENDED);
        names.add(own(Integer.parseInt(arguments[2])));
        if (!arguments[3].equals(Phase.BOTH.name())) {
            names.add(AT_BOTH_ENDS);
        }
        try (LockClient client = LockClient.connect(arguments[4])) {
            List<Thread> threads = new ArrayList<>();
            for (String name : names) {
                threads.add(new Thread(() -> member.takeAgainAndAgain(name, client.lock(name)), name));
            }
            threads.forEach(Thread::start);
            System.out.println(READY);
            // The end of the input is the end of the test's JVM.
            int unused = System.in.read();
            member.stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
        System.out.println(GONE);
    }

    private void takeAgainAndAgain(String name, DistributedLock lock) {
        try {
            while (!stopped) {
                try {
                    takeOnce(name, lock);
                } catch (LockLostException lost) {
                    // Noted if the lock was lost before the end of the work.
                    continue;
                } catch (LockException failed) {
                    evidence.failure(member + " in " + phase + ": " + failed);
                }
                pause(LONGEST_REST);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeOnce(String name, DistributedLock lock) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        LockHandle granted = lock.tryAcquire(PATIENCE).orElse(null);
        Duration waited = Duration.ofNanos(System.nanoTime() - asked);
        if (granted == null) {
            evidence.failure(member + " in " + phase + " did not get " + name + " within " + PATIENCE);
            return;
        }
        try (LockHandle held = granted) {
            Evidence.Hold hold =
                    new Evidence.Hold(member, phase, held.fencingToken().value(), waited.toMillis());
            boolean alone = evidence.begin(name, hold);
            pause(LONGEST_WORK);
            if (alone) {
                evidence.end(name);
            }
            // After the end of the hold: if the lock was held now, it was held all the time.
            if (!held.isHeld()) {
                evidence.loss(hold);
            }
        }
    }

    private static void pause(long longest) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }
}
