package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Every claim of a batch of renewals is renewed, of whatever size the batch is: chapter 3. */
interface BatchSizeRules extends Rules {

    /** More claims than a store renews at once, as long as it does not declare a larger batch. */
    int TWO_BATCHES = 300;

    /** The largest batch that the kit renews in full. */
    int LARGEST_BATCH = 2_000;

    /** For so long a batch is filled; a store that is slow gets a part of it. */
    Duration FILLING = Duration.ofSeconds(12);

    /**
     * How many claims the kit looks at: those at the ends, and others evenly between. It looks at the last one of each batch,
     * too.
     */
    int LOOKED_AT = 60;

    /** The portions of a batch that the kit looks behind. */
    List<Integer> PORTIONS = List.of(2, 4, 8, 10, 16, 20, 32, 50, 64);

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_everyClaimOfAFullBatchIsRenewed() throws Exception {
        int batch = kit().provider().renewalBatch();
        // A full batch, and a part of one.
        int number = Math.min(
                LARGEST_BATCH, batch == 1 ? 5 : Math.max(batch + batch / 3 + 1, Math.min(2 * batch + 1, TWO_BATCHES)));
        List<Integer> batches = new ArrayList<>(Collections.nCopies(number / batch, batch));
        if (number % batch > 0) {
            batches.add(number % batch);
        }
        everyClaimIsRenewed(batches);
    }

    /** A store may renew in portions, and forget a last one that is not full: each batch has one claim more than a portion. */
    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_everyClaimOfABatchOfAnySizeIsRenewed() throws Exception {
        int batch = kit().provider().renewalBatch();
        if (batch <= 2) {
            Assumptions.abort("not applicable: the provider declares a batch of " + batch);
        }
        everyClaimIsRenewed(PORTIONS.stream()
                .filter(portion -> portion < batch)
                .map(portion -> portion + 1)
                .toList());
    }

    private void everyClaimIsRenewed(List<Integer> batches) throws Exception {
        int number = batches.stream().mapToInt(Integer::intValue).sum();
        Duration[] granting = {Duration.ZERO};
        kit().conclusively(() -> {
            // Long enough to be granted to all, and to be looked at after it would have ended: as the try before has
            // shown. The second moment comes before the renewed leases end only if these are longer than the tolerance.
            Duration lease = kit().lease()
                    .plus(granting[0])
                    .multipliedBy(4)
                    .plus(kit().harness().expiryTolerance().multipliedBy(2));
            LockProvider provider = kit().provider();
            long start = Pace.now();
            List<DrivenClaim> holders = granted(provider, lease, number);
            granting[0] = Pace.since(start);
            boolean watched = granting[0].compareTo(lease.dividedBy(2)) < 0
                    && areAllRenewed(provider, holders, firstOf(batches, holders.size()), start);
            Crowd.inParts(holders, DrivenClaim::release);
            return watched;
        });
    }

    /**
     * Claims of names that the kit does not inspect at the end: so many would take longer than the rule itself. As many as are
     * wanted, or as a slow store grants in some seconds: the test lasts a multiple of that.
     */
    private List<DrivenClaim> granted(LockProvider provider, Duration lease, int wanted) {
        Queue<DrivenClaim> claims = new ConcurrentLinkedQueue<>();
        long start = Pace.now();
        List<Integer> numbers = IntStream.rangeClosed(1, wanted).boxed().toList();
        Crowd.inParts(numbers, number -> {
            if (number <= CrowdRules.SOME_LOCKS || Pace.since(start).compareTo(FILLING) < 0) {
                claims.add(kit().claim(provider, "tck-" + UUID.randomUUID())
                        .leasing(lease)
                        .makeGranted());
            }
        });
        return List.copyOf(claims);
    }

    /** The first batches, with so many claims in all. */
    private static List<Integer> firstOf(List<Integer> batches, int number) {
        List<Integer> first = new ArrayList<>();
        int left = number;
        for (int batch : batches) {
            if (left > 0) {
                first.add(Math.min(batch, left));
            }
            left -= batch;
        }
        return first;
    }

    /**
     * Renews claims late in their leases. After the time at which the first leases would have ended, it looks whether the locks
     * are still held.
     */
    private boolean areAllRenewed(LockProvider provider, List<DrivenClaim> holders, List<Integer> batches, long start) {
        int number = holders.size();
        Duration lease = holders.get(0).lease();
        long grantedAt = Pace.now();
        Pace.pass(lease.multipliedBy(3).dividedBy(4).minus(Pace.since(start)));
        long renewedAt = Pace.now();
        List<Renewal> renewals = new ArrayList<>();
        Set<Integer> lookedAt = IntStream.range(0, LOOKED_AT)
                .map(i -> i * (number - 1) / (LOOKED_AT - 1))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        for (int batch : batches) {
            int begin = renewals.size();
            renewals.addAll(kit().renewAll(provider, holders.subList(begin, begin + batch)));
            lookedAt.add(renewals.size() - 1);
        }
        if (Pace.since(start).compareTo(lease) > 0) {
            return false;
        }
        for (int i = 0; i < number; i++) {
            Assertions.assertInstanceOf(
                    Renewal.Held.class, renewals.get(i), "the renewal of claim " + i + " of " + number);
        }
        Pace.pass(lease.plus(kit().harness().expiryTolerance()).minus(Pace.since(grantedAt)));
        LockProvider observer = kit().provider();
        return lookedAt.stream()
                .allMatch(i -> isHeldUntil(renewedAt + lease.toNanos(), observer, holders.get(i), i + " of " + number));
    }

    /** Whether the kit has looked before a moment, until which the claim must be in force. */
    private boolean isHeldUntil(long moment, LockProvider observer, DrivenClaim holder, String place) {
        DrivenClaim rival = kit().visitor(observer, holder.name());
        Attempt attempt = rival.attempt();
        if (Pace.now() - moment > 0) {
            return false;
        }
        if (attempt instanceof Attempt.Granted) {
            throw new CertainError("the lock of claim " + place
                    + ", all of which were renewed in batches for "
                    + holder.lease().toMillis() + " ms, was granted to another claim before that time had passed");
        }
        rival.release();
        return true;
    }
}
