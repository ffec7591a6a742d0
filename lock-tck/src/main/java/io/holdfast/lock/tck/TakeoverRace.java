package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Several locks whose holders die at about the same time, and threads that compete for all of them. A takeover that is not one
 * atomic step soon collides with another one.
 */
final class TakeoverRace {

    private static final int LOCKS = 8;
    private static final int THREADS_OF_EACH_CLIENT = 2;

    private static final Duration HEAD_START = Duration.ofMillis(20);

    private final Kit kit;
    private final List<String> names;
    private final Map<String, Queue<DrivenClaim>> winners = new ConcurrentHashMap<>();

    TakeoverRace(Kit kit) {
        this.kit = kit;
        this.names = Stream.generate(kit::newName).limit(LOCKS).toList();
        names.forEach(name -> winners.put(name, new ConcurrentLinkedQueue<>()));
    }

    /** Lets the holders die, and the threads attempt until each lock has its next holder and no other claim can still get it. */
    void run(List<LockProvider> clients) {
        long first = Pace.now();
        names.forEach(name -> kit.claim(clients.get(0), name).makeGranted().abandon());
        Pace.Limit limit = new Pace.Limit(kit.longestLife());
        Crowd.together(clients.stream()
                .flatMap(client -> Stream.generate(() -> client).limit(THREADS_OF_EACH_CLIENT))
                .map(client -> () -> takeOver(client, first, limit)));
    }

    /** Attempts for each lock until it is granted, to this claim or another, or the time is over. */
    private void takeOver(LockProvider client, long firstGrant, Pace.Limit limit) {
        List<DrivenClaim> claims = new ArrayList<>();
        names.forEach(name -> claims.add(kit.claim(client, name).lasting().make()));
        // From shortly before the first lease can end: earlier attempts prove nothing and load the machine.
        Pace.pass(kit.lease().minus(HEAD_START).minus(Pace.since(firstGrant)));
        while (!claims.isEmpty() && !limit.isOver()) {
            for (Iterator<DrivenClaim> open = claims.iterator(); open.hasNext(); ) {
                DrivenClaim claim = open.next();
                Queue<DrivenClaim> winnersOfThis = winners.getOrDefault(claim.name(), new ConcurrentLinkedQueue<>());
                boolean taken = !winnersOfThis.isEmpty();
                if (isGranted(claim)) {
                    winnersOfThis.add(claim);
                    open.remove();
                } else if (taken) {
                    claim.release();
                    open.remove();
                }
            }
        }
    }

    /** A store may be too busy to answer so many attempts. The claim attempts again. */
    private static boolean isGranted(DrivenClaim claim) {
        try {
            return claim.isGranted();
        } catch (LockStoreException unknown) {
            return false;
        }
    }

    /** The number of locks by the number of claims that were granted them. */
    Map<Integer, Integer> locksByWinners() {
        Map<Integer, Integer> locks = new TreeMap<>();
        winners.values().forEach(each -> locks.merge(each.size(), 1, Integer::sum));
        return locks;
    }

    void mustAllRenew(String because) {
        winners.values().forEach(each -> each.forEach(winner -> winner.mustRenew(because)));
    }
}
