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
 * Several locks whose holders die at about the same time, and threads that bid for all of them: so a takeover that is not one step
 * meets another one soon.
 */
final class TakeoverRace {

    private static final int LOCKS = 8;
    private static final int THREADS_OF_EACH_CLIENT = 2;

    private static final Duration HEAD_START = Duration.ofMillis(20);

    private final Kit kit;
    private final List<String> names;
    private final Map<String, Queue<DrivenClaim>> heirs = new ConcurrentHashMap<>();

    TakeoverRace(Kit kit) {
        this.kit = kit;
        this.names = Stream.generate(kit::newName).limit(LOCKS).toList();
        names.forEach(name -> heirs.put(name, new ConcurrentLinkedQueue<>()));
    }

    /** Lets the holders die, and the threads bid until each lock has its next holder and nobody else could still get it. */
    void bidFrom(List<LockProvider> clients) {
        long first = Pace.now();
        names.forEach(name -> kit.bid(clients.get(0), name).get().abandon());
        Pace.Limit limit = new Pace.Limit(kit.longestLife());
        List<Call<Boolean>> bidders = new ArrayList<>();
        for (LockProvider client : clients) {
            for (int i = 0; i < THREADS_OF_EACH_CLIENT; i++) {
                bidders.add(Call.start(() -> bid(client, first, limit)));
            }
        }
        bidders.forEach(Call::result);
    }

    /** Whether all locks were seen to be inherited. */
    private boolean bid(LockProvider client, long firstGrant, Pace.Limit limit) {
        List<DrivenClaim> bids = new ArrayList<>();
        names.forEach(
                name -> bids.add(kit.bid(client, name).leasing(kit.longLease()).enter()));
        // From shortly before the first lease can end: bids before that prove nothing, and cost the machine a lot.
        Pace.pass(kit.lease().minus(HEAD_START).minus(Pace.since(firstGrant)));
        while (!bids.isEmpty() && !limit.isOver()) {
            for (Iterator<DrivenClaim> open = bids.iterator(); open.hasNext(); ) {
                DrivenClaim bid = open.next();
                Queue<DrivenClaim> heirsOfThis = heirs.getOrDefault(bid.name(), new ConcurrentLinkedQueue<>());
                boolean inherited = !heirsOfThis.isEmpty();
                if (isGranted(bid)) {
                    heirsOfThis.add(bid);
                    open.remove();
                } else if (inherited) {
                    bid.release();
                    open.remove();
                }
            }
        }
        return bids.isEmpty();
    }

    /** A store may be too busy with all these bids to answer. The bid comes again. */
    private static boolean isGranted(DrivenClaim bid) {
        try {
            return bid.isGranted();
        } catch (LockStoreException unknown) {
            return false;
        }
    }

    /** How many locks have how many holders who say that they were granted it. */
    Map<Integer, Integer> locksByHeirs() {
        Map<Integer, Integer> locks = new TreeMap<>();
        heirs.values().forEach(each -> locks.merge(each.size(), 1, Integer::sum));
        return locks;
    }

    void mustAllRenew(String because) {
        heirs.values().forEach(each -> each.forEach(heir -> heir.mustRenew(because)));
    }
}
