package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Contended;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A fault of a provider. Each has been released in some lock library. */
enum Mutant {
    GRANTS_ALWAYS {
        @Override
        Attempt attempt(MutantClaim claim) {
            return new Granted(new FencingToken(TOKENS.incrementAndGet()), claim.request.leaseTime());
        }
    },
    CHECKS_THEN_ACTS {
        @Override
        Attempt attempt(MutantClaim claim) {
            if (claim.provider.holder(claim.request.name()).isPresent()) {
                return new Contended(Optional.of(Duration.ofMillis(1)));
            }
            // Wide enough for two threads to overlap soon on any machine.
            Pace.pass(Duration.ofMillis(20));
            claim.provider.delegate().remove(claim.request.name());
            return claim.delegate.attempt();
        }
    },
    TAKES_OVER_IN_TWO_STEPS {
        @Override
        Attempt attempt(MutantClaim claim) {
            if (claim.followsADeadHolder()) {
                Pace.pass(Duration.ofMillis(3));
                claim.provider.delegate().remove(claim.request.name());
            }
            return claim.delegate.attempt();
        }
    },
    ADMITS_ANYBODY_OF_THE_CLIENT {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), "client-" + System.identityHashCode(provider), request.leaseTime());
        }
    },
    WAITS_IN_THE_ATTEMPT {
        @Override
        Attempt attempt(MutantClaim claim) {
            Attempt first = claim.delegate.attempt();
            if (first instanceof Granted) {
                return first;
            }
            // Four of them are longer than the slack by a second: a machine that stands still for a part of that hides
            // the wait.
            Pace.pass(Duration.ofMillis(400));
            return claim.delegate.attempt();
        }
    },
    COUNTS_A_REPEATED_ATTEMPT_TWICE {
        @Override
        Attempt attempt(MutantClaim claim) {
            ClaimRequest sent = claim.sent;
            ClaimRequest again = new ClaimRequest(
                    sent.name(),
                    UUID.randomUUID().toString(),
                    sent.ownerId(),
                    sent.leaseTime(),
                    sent.intent(),
                    sent.claimant());
            claim.delegate = claim.provider.delegate().newClaim(again, claim.signals);
            return claim.delegate.attempt();
        }
    },
    FOLDS_CASE {
        @Override
        String name(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    },
    TRUNCATES_NAMES {
        @Override
        String name(String name) {
            return name.substring(0, Math.min(255, name.length()));
        }
    },
    SANITISES_NAMES {
        @Override
        String name(String name) {
            return name.replaceAll("[/: ]", "_");
        }
    },
    LEAVES_CLAIMS_BEHIND {
        @Override
        Release release(MutantClaim claim) {
            return claim.granted ? claim.delegate.release() : Release.NOT_HELD;
        }
    },
    TAKES_ERRORS_FOR_CONTENTION {
        @Override
        Attempt attempt(MutantClaim claim) {
            try {
                return claim.delegate.attempt();
            } catch (LockException error) {
                return new Contended(Optional.empty());
            }
        }
    },
    LETS_LOCAL_MEMORY_DECIDE {
        @Override
        Attempt attempt(MutantClaim claim) {
            boolean known = claim.provider.local().contains(claim.request.name());
            return known && !claim.granted ? new Contended(Optional.empty()) : claim.delegate.attempt();
        }
    },
    TAKES_MILLISECONDS_FOR_SECONDS {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), request.ownerId(), shortened(request.leaseTime(), 1000, 1));
        }
    },
    NEVER_EXPIRES {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), request.ownerId(), Duration.ofDays(365));
        }
    },
    EXPIRES_TOO_EARLY {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), request.ownerId(), shortened(request.leaseTime(), 3, 4));
        }
    },
    PROMISES_MORE_THAN_THE_LEASE {
        @Override
        Attempt attempt(MutantClaim claim) {
            return claim.delegate.attempt() instanceof Granted granted
                    ? new Granted(
                            granted.fencingToken(), claim.request.leaseTime().plusMillis(200))
                    : claim.delegate.attempt();
        }
    },
    RENEWS_WITHOUT_PROLONGING {
        @Override
        Renewal renew(MutantClaim claim) {
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    RENEWS_IN_TWO_STEPS {
        @Override
        Renewal renew(MutantClaim claim) {
            if (!claim.isShownAsHolder()) {
                return new Renewal.Lost(LossCause.EXPIRED);
            }
            Pace.pass(LATE_STEP);
            claim.delegate.renew();
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    RENEWS_ONLY_THE_FIRST_OF_MANY {
        @Override
        List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(List.of(claims.get(0).renew()));
            for (MutantClaim claim : claims.subList(1, claims.size())) {
                renewals.add(
                        claim.isShownAsHolder()
                                ? new Renewal.Held(claim.request.leaseTime())
                                : new Renewal.Lost(LossCause.EXPIRED));
            }
            return renewals;
        }
    },
    ANSWERS_FOR_MANY_IN_ANOTHER_ORDER {
        @Override
        List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims));
            Collections.reverse(renewals);
            return renewals;
        }
    },
    TAKES_ERRORS_FOR_RENEWALS {
        @Override
        Renewal renew(MutantClaim claim) {
            try {
                return claim.delegate.renew();
            } catch (LockException error) {
                return new Renewal.Held(claim.request.leaseTime());
            }
        }
    },
    REPORTS_A_LOSS_TO_ALL {
        @Override
        Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost lost) {
                claim.provider.claims().forEach(each -> each.signals.lost(lost.cause()));
            }
            return renewal;
        }
    },
    RENEWS_WHAT_HAS_VANISHED {
        @Override
        Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            return renewal instanceof Renewal.Lost && claim.delegate.attempt() instanceof Granted granted
                    ? new Renewal.Held(granted.validFor())
                    : renewal;
        }
    },
    RENEWS_ANY_HOLDER {
        @Override
        Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            Claim holder = HOLDERS.get(claim.request.name());
            if (renewal instanceof Renewal.Lost && holder != null) {
                holder.renew();
            }
            return renewal;
        }
    },
    RELEASES_ANY_HOLDER {
        @Override
        Release release(MutantClaim claim) {
            claim.delegate.release();
            return claim.provider.delegate().remove(claim.request.name()) ? Release.RELEASED : Release.NOT_HELD;
        }
    },
    TAKES_ERRORS_FOR_RELEASES {
        @Override
        Release release(MutantClaim claim) {
            try {
                return claim.delegate.release();
            } catch (LockException error) {
                return Release.RELEASED;
            }
        }
    },
    RELEASES_IN_TWO_STEPS {
        @Override
        Release release(MutantClaim claim) {
            if (claim.granted && claim.isShownAsHolder()) {
                Pace.pass(LATE_STEP);
                claim.provider.delegate().remove(claim.request.name());
                return Release.RELEASED;
            }
            return claim.delegate.release();
        }
    },
    RELEASES_WHATEVER_ITS_OWNER_HOLDS {
        @Override
        Release release(MutantClaim claim) {
            boolean held = claim.granted && claim.isShownAsHolder();
            Release release = claim.delegate.release();
            if (held) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    REPORTS_A_LOSS_AT_EACH_RELEASE {
        @Override
        Release release(MutantClaim claim) {
            claim.provider.claims().forEach(each -> each.signals.lost(LossCause.EXPIRED));
            return claim.delegate.release();
        }
    },
    RELEASES_THE_NEXT_HOLDER_WHEN_LATE {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (claim.granted && release == Release.NOT_HELD) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    ALWAYS_REPORTS_RELEASED {
        @Override
        Release release(MutantClaim claim) {
            claim.delegate.release();
            return claim.granted ? Release.RELEASED : Release.NOT_HELD;
        }
    },
    FREES_AT_THE_FIRST_OF_TWO_RELEASES {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.RELEASED) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    REFUSES_REENTRY {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), request.claimId(), request.leaseTime());
        }
    },
    NESTS_WITHIN_THE_FIRST_LEASE {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            Duration first = LEASES.computeIfAbsent(request.name() + request.ownerId(), key -> request.leaseTime());
            return with(request, request.name(), request.ownerId(), first);
        }
    },
    TRIMS_OWNERS {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return with(request, request.name(), request.ownerId().stripTrailing(), request.leaseTime());
        }
    },
    TRUNCATES_OWNERS {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            String owner = request.ownerId();
            return with(
                    request, request.name(), owner.substring(0, Math.min(255, owner.length())), request.leaseTime());
        }
    },
    DRAWS_THE_TOKEN_BEFORE_THE_GRANT {
        @Override
        Attempt attempt(MutantClaim claim) {
            if (claim.granted) {
                return retokened(claim.delegate.attempt(), claim.ownToken);
            }
            claim.ownToken = newToken();
            Pace.pass(Duration.ofMillis(1));
            return retokened(claim.delegate.attempt(), claim.ownToken);
        }
    },
    GRANTS_ALL_WITH_ONE_TOKEN {
        @Override
        Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), 1);
        }
    },
    CHANGES_THE_TOKEN_ON_REENTRY {
        @Override
        Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), claim.ownToken);
        }
    },
    CHANGES_THE_TOKEN_EVERY_TIME {
        @Override
        Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), TOKENS.incrementAndGet());
        }
    },
    RAISES_NO_TOKENS {
        @Override
        void raiseTokens(MutantProvider provider, long above) {
            // Says that it has done so.
        }
    },
    RAISES_TOKENS_TOO_LITTLE {
        @Override
        void raiseTokens(MutantProvider provider, long above) {
            super.raiseTokens(provider, above - 1);
        }
    },
    TELLS_TOO_LOW_A_HIGHEST_TOKEN {
        @Override
        long highestToken(MutantProvider provider) {
            return 0;
        }
    },
    WAKES_NOBODY {
        @Override
        boolean wakes(ClaimRequest request) {
            return false;
        }
    },
    WAKES_THE_FIRST_AND_FORGETS_THE_OTHERS {
        @Override
        boolean wakes(ClaimRequest request) {
            return !CLAIMS.containsKey(request.name())
                    || CLAIMS.get(request.name()).size() < 2;
        }
    },
    LOSES_THE_ORDER_WHEN_A_CLAIM_IS_WITHDRAWN {
        @Override
        Attempt attempt(MutantClaim claim) {
            int withdrawals = WITHDRAWALS.getOrDefault(claim.request.name(), 0);
            if (withdrawals > claim.withdrawals && !claim.granted) {
                claim.withdrawals = withdrawals;
                claim.delegate.release();
                claim.delegate = claim.provider.delegate().newClaim(claim.sent, claim.signals);
            }
            return claim.delegate.attempt();
        }

        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.NOT_HELD) {
                WITHDRAWALS.merge(claim.request.name(), 1, Integer::sum);
            }
            return release;
        }
    },
    LOSES_THE_ORDER_WHEN_A_LEASE_ENDS {
        @Override
        Attempt attempt(MutantClaim claim) {
            if (claim.followsADeadHolder()) {
                CLAIMS.getOrDefault(claim.request.name(), new ConcurrentLinkedQueue<>())
                        .forEach(other -> other.delegate.release());
            }
            return claim.delegate.attempt();
        }
    },
    KEEPS_NO_ORDER {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return new ClaimRequest(
                    request.name(),
                    request.claimId(),
                    request.ownerId(),
                    request.leaseTime(),
                    Intent.TRY_ONCE,
                    request.claimant());
        }
    },
    RETURNS_TOO_LONG_A_RETRY_AFTER {
        @Override
        Attempt attempt(MutantClaim claim) {
            return claim.delegate.attempt() instanceof Contended contended
                    ? new Contended(contended.retryAfter().map(time -> time.multipliedBy(10)))
                    : claim.delegate.attempt();
        }
    },
    PROMISES_THE_LEASE_AGAIN_WITHOUT_PROLONGING {
        @Override
        Attempt attempt(MutantClaim claim) {
            return claim.grant.isPresent() && claim.isShownAsHolder() ? claim.grant.get() : claim.delegate.attempt();
        }
    },
    RENEWS_ALL_CLAIMS_OF_THE_OWNER {
        @Override
        Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Held) {
                siblings(claim)
                        .filter(each -> each.delegate.renew() instanceof Renewal.Held)
                        .forEach(each -> {
                            ClaimRequest longer =
                                    with(each.sent, each.sent.name(), each.sent.ownerId(), claim.request.leaseTime());
                            each.delegate = each.provider.delegate().newClaim(longer, each.signals);
                            each.delegate.attempt();
                        });
            }
            return renewal;
        }
    },
    ANSWERS_FOR_MANY_BY_THEIR_NAMES {
        @Override
        List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = super.renewAll(claims);
            Set<String> held = new HashSet<>();
            for (int i = 0; i < claims.size(); i++) {
                if (renewals.get(i) instanceof Renewal.Held) {
                    held.add(claims.get(i).request.name());
                }
            }
            return claims.stream()
                    .<Renewal>map(claim -> held.contains(claim.request.name())
                            ? new Renewal.Held(claim.request.leaseTime())
                            : new Renewal.Lost(LossCause.TAKEN_OVER))
                    .toList();
        }
    },
    RENEWS_FEWER_THAN_IT_DECLARES {
        @Override
        List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims.subList(0, Math.min(50, claims.size()))));
            claims.stream()
                    .skip(renewals.size())
                    .forEach(claim -> renewals.add(new Renewal.Held(claim.request.leaseTime())));
            return renewals;
        }
    },
    PROMISES_MANY_THE_LONGEST_OF_THEIR_LEASES {
        @Override
        List<Renewal> renewAll(List<MutantClaim> claims) {
            Duration longest = claims.stream()
                    .map(claim -> claim.request.leaseTime())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            return super.renewAll(claims).stream()
                    .map(renewal -> renewal instanceof Renewal.Held ? new Renewal.Held(longest) : renewal)
                    .toList();
        }
    },
    HASHES_NAMES {
        @Override
        String name(String name) {
            return Integer.toHexString(name.hashCode());
        }
    },
    CUTS_NAMES_AFTER_SO_MANY_BYTES {
        @Override
        String name(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            return new String(bytes, 0, Math.min(1024, bytes.length), StandardCharsets.UTF_8);
        }
    },
    CONFUSES_RARE_CHARACTERS {
        @Override
        String name(String name) {
            return name.replaceAll("[\\x{10000}-\\x{10FFFF}]", "\uFFFD");
        }
    },
    KEEPS_ITS_QUEUE_UNDER_A_NAME_LIKE_A_LOCKS {
        @Override
        Attempt attempt(MutantClaim claim) {
            String name = claim.request.name();
            return name.endsWith(":queue") && isHeld(name.replace(":queue", ""))
                    ? new Contended(Optional.empty())
                    : claim.delegate.attempt();
        }
    },
    TRUNCATES_CLAIM_IDS {
        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            String id = request.claimId();
            return new ClaimRequest(
                    request.name(),
                    id.substring(0, Math.min(36, id.length())),
                    request.ownerId(),
                    request.leaseTime(),
                    request.intent(),
                    request.claimant());
        }
    },
    COUNTS_A_REPEATED_RELEASE_TWICE {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (claim.granted && claim.released) {
                siblings(claim).findAny().ifPresent(each -> each.delegate.release());
            }
            return release;
        }
    },
    FREES_AT_THE_SECOND_OF_THREE_RELEASES {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            boolean second = claimsOf(claim.request.name())
                    .anyMatch(each -> each.isOfTheOwnerOf(claim) && each.granted && each.released);
            if (second && siblings(claim).findAny().isPresent()) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    PUTS_THE_HOLDER_BEHIND_WAITERS {
        @Override
        Attempt attempt(MutantClaim claim) {
            return claim.isShownAsHolder() && claimsOf(claim.request.name()).anyMatch(MutantClaim::waits)
                    ? new Contended(Optional.of(Duration.ofMillis(1)))
                    : claim.delegate.attempt();
        }
    },
    KEEPS_THE_TOKEN_WITH_THE_FIRST_HOLD {
        @Override
        Attempt attempt(MutantClaim claim) {
            boolean nested = claim.isShownAsHolder();
            boolean rootless = claimsOf(claim.request.name())
                    .filter(each -> each.isOfTheOwnerOf(claim) && each.granted)
                    .findFirst()
                    .filter(first -> first.released)
                    .isPresent();
            Attempt attempt = claim.delegate.attempt();
            return nested && rootless && !claim.granted ? retokened(attempt, claim.ownToken) : attempt;
        }
    },
    SHOWS_HOLDERS_PAST_THEIR_LEASES {
        @Override
        Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .or(() -> claimsOf(name)
                            .filter(MutantClaim::isInForce)
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId())));
        }
    },
    SHOWS_THE_HOLDER_BEFORE {
        @Override
        Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> claimsOf(name)
                            .filter(MutantClaim::isInForce)
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId()))
                            .orElse(holder));
        }
    },
    SHOWS_NO_OWNER_WHERE_A_THREAD_HAS_AN_ODD_NAME {
        @Override
        Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> holder.thread().orElse("").contains("\"") ? LockHolder.of("") : holder);
        }
    },
    HEARS_ONLY_OTHER_CLIENTS {
        @Override
        Release release(MutantClaim claim) {
            SPEAKER.set(claim.provider.delegate());
            try {
                return claim.delegate.release();
            } finally {
                SPEAKER.remove();
            }
        }

        @Override
        boolean hears(MutantClaim claim) {
            return SPEAKER.get() != claim.provider.delegate();
        }
    },
    HEARS_OF_ITS_LATEST_NAME_ONLY {
        @Override
        Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Contended) {
                LATEST.put(claim.provider.delegate(), claim.request.name());
            }
            return attempt;
        }

        @Override
        boolean hears(MutantClaim claim) {
            return claim.request.name().equals(LATEST.get(claim.provider.delegate()));
        }
    },
    LISTENS_NO_MORE_WHEN_ONE_OF_MANY_LEAVES {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            claimsOf(claim.request.name())
                    .filter(each -> each.provider.delegate() == claim.provider.delegate())
                    .forEach(each -> each.deaf = true);
            return release;
        }
    },
    SILENCES_ALL_CLIENTS_AT_ITS_CLOSE {
        @Override
        void close(MutantProvider provider) {
            provider.claims().forEach(claim -> claimsOf(claim.request.name()).forEach(each -> each.deaf = true));
        }
    },
    LISTENS_FOR_ONE_RELEASE_ONLY {
        @Override
        LockCapabilities declared(LockCapabilities capabilities) {
            return capabilities.withOrdering(Ordering.NONE);
        }

        @Override
        ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return KEEPS_NO_ORDER.request(request, provider);
        }

        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            claimsOf(claim.request.name())
                    .filter(each -> each.waits() && each.hints++ == 0)
                    .forEach(each -> each.signals.mayBeFree());
            return release;
        }
    },
    WAKES_BEFORE_THE_RELEASE {
        @Override
        Release release(MutantClaim claim) {
            List<MutantClaim> waiting =
                    claimsOf(claim.request.name()).filter(MutantClaim::waits).toList();
            waiting.forEach(each -> each.signals.mayBeFree());
            Pace.pass(Duration.ofMillis(2));
            waiting.forEach(each -> each.deaf = true);
            Release release = claim.delegate.release();
            waiting.forEach(each -> each.deaf = false);
            return release;
        }
    },
    LISTENS_SOME_TIME_AFTER_ITS_ANSWER {
        @Override
        Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Contended && !claim.contended) {
                claim.listensFrom = Pace.now() + Duration.ofMillis(20).toNanos();
            }
            return attempt;
        }

        @Override
        boolean hears(MutantClaim claim) {
            return Pace.now() - claim.listensFrom >= 0;
        }
    },
    HEARS_NOTHING_AFTER_AN_OUTAGE {
        @Override
        Attempt attempt(MutantClaim claim) {
            try {
                return claim.delegate.attempt();
            } catch (LockException down) {
                LATEST.put(claim.provider.delegate(), "");
                throw down;
            }
        }

        @Override
        boolean hears(MutantClaim claim) {
            return !LATEST.containsKey(claim.provider.delegate());
        }
    },
    FREES_AT_ITS_CLOSE_WHAT_IT_ONCE_HELD {
        @Override
        void close(MutantProvider provider) {
            provider.local().forEach(provider.delegate()::remove);
            provider.local().clear();
        }
    },
    ENDS_LEASES_BY_NAME {
        @Override
        Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.RELEASED && claim.request.leaseTime().toSeconds() < 5) {
                Call.start(() -> {
                    Pace.pass(claim.request.leaseTime());
                    return claim.provider.delegate().remove(claim.request.name());
                });
            }
            return release;
        }
    },
    SWALLOWS_INTERRUPTS {
        @Override
        Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            Thread.interrupted();
            return attempt;
        }
    },
    SIGNALS_A_LOSS_BY_NAME {
        @Override
        Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost lost) {
                claim.provider.claims().stream()
                        .filter(each -> each.request.name().equals(claim.request.name()))
                        .forEach(each -> each.signals.lost(lost.cause()));
            }
            return renewal;
        }
    },
    LEAKS_A_THREAD {
        @Override
        void open() {
            Thread leaked = new Thread(() -> Pace.pass(Duration.ofMinutes(1)), "leaked-thread");
            leaked.setDaemon(true);
            leaked.start();
        }
    };

    /** Between the two steps of a change that is not atomic: wide enough for a thread that is late on a busy machine. */
    private static final Duration LATE_STEP = Duration.ofMillis(20);

    private static final AtomicLong TOKENS = new AtomicLong(1L << 40);
    private static final Map<String, Claim> HOLDERS = new ConcurrentHashMap<>();

    static long newToken() {
        return TOKENS.incrementAndGet();
    }

    private static final Map<String, Duration> LEASES = new ConcurrentHashMap<>();
    private static final Map<String, Queue<MutantClaim>> CLAIMS = new ConcurrentHashMap<>();
    private static final Map<String, Integer> WITHDRAWALS = new ConcurrentHashMap<>();

    private static final Map<MemoryLockProvider, String> LATEST = new ConcurrentHashMap<>();
    private static final ThreadLocal<MemoryLockProvider> SPEAKER = new ThreadLocal<>();

    static Stream<MutantClaim> claimsOf(String name) {
        return CLAIMS.getOrDefault(name, new ConcurrentLinkedQueue<>()).stream();
    }

    static Stream<MutantClaim> siblings(MutantClaim claim) {
        return claimsOf(claim.request.name()).filter(each -> each.isInForce() && each.isOfTheOwnerOf(claim));
    }

    static void made(MutantClaim claim) {
        CLAIMS.computeIfAbsent(claim.request.name(), name -> new ConcurrentLinkedQueue<>())
                .add(claim);
    }

    static boolean isHeld(String name) {
        return HOLDERS.containsKey(name);
    }

    static void holds(String name, Claim claim) {
        HOLDERS.put(name, claim);
    }

    static void left(String name) {
        HOLDERS.remove(name);
    }

    void open() {}

    LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities;
    }

    void close(MutantProvider provider) {}

    boolean wakes(ClaimRequest request) {
        return true;
    }

    boolean hears(MutantClaim claim) {
        return true;
    }

    Optional<LockHolder> holder(MutantProvider provider, String name) {
        return provider.delegate().holder(name(name));
    }

    long highestToken(MutantProvider provider) {
        return provider.delegate().highestToken();
    }

    void raiseTokens(MutantProvider provider, long above) {
        provider.delegate().raiseTokens(above);
    }

    List<Renewal> renewAll(List<MutantClaim> claims) {
        return claims.stream().map(MutantClaim::renew).toList();
    }

    String name(String name) {
        return name;
    }

    ClaimRequest request(ClaimRequest request, MutantProvider provider) {
        return with(request, name(request.name()), request.ownerId(), request.leaseTime());
    }

    Attempt attempt(MutantClaim claim) {
        return claim.delegate.attempt();
    }

    Renewal renew(MutantClaim claim) {
        return claim.delegate.renew();
    }

    Release release(MutantClaim claim) {
        return claim.delegate.release();
    }

    private static Attempt retokened(Attempt attempt, long token) {
        return attempt instanceof Granted granted ? new Granted(new FencingToken(token), granted.validFor()) : attempt;
    }

    private static Duration shortened(Duration lease, int times, int parts) {
        Duration changed = lease.multipliedBy(times).dividedBy(parts);
        return changed.toDays() < 365 ? changed : lease;
    }

    private static ClaimRequest with(ClaimRequest request, String name, String owner, Duration lease) {
        return new ClaimRequest(name, request.claimId(), owner, lease, request.intent(), request.claimant());
    }
}
