package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Faults that show with some values, names or numbers alone: between the values that a test tries first, among names that are
 * alike, and when there are many.
 */
enum FaultOfAKind {
    FREES_NAMES_THAT_BEGIN_ALIKE {
        @Override
        Release release(FaultyClaim claim) {
            return freeing(claim, name -> name.startsWith(claim.request.name()));
        }
    },
    FREES_BY_A_PATTERN_OF_SQL {
        @Override
        Release release(FaultyClaim claim) {
            return freeing(claim, like(claim.request.name()).asMatchPredicate());
        }
    },
    FREES_BY_A_PATTERN_OF_FILES {
        @Override
        Release release(FaultyClaim claim) {
            return freeing(claim, glob(claim.request.name()).asMatchPredicate());
        }
    },
    SHOWS_THE_HOLDER_OF_A_NAME_THAT_BEGINS_ALIKE {
        @Override
        Optional<LockHolder> holder(FaultyProvider provider, String name) {
            return super.holder(provider, name)
                    .or(() -> provider.store
                            .holders()
                            .filter(claim -> claim.request.name().startsWith(name))
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId())));
        }
    },
    ENDS_LEASES_OF_NAMES_THAT_BEGIN_ALIKE {
        @Override
        Renewal renew(FaultyClaim claim) {
            claim.provider
                    .store
                    .holders()
                    .filter(dead -> claim.request.name().startsWith(dead.request.name()))
                    .filter(dead -> Pace.since(dead.askedAt).compareTo(dead.request.leaseTime()) > 0)
                    .findFirst()
                    .ifPresent(dead -> claim.provider.delegate.remove(claim.request.name()));
            return claim.delegate.renew();
        }
    },
    RENEWS_NAMES_THAT_BEGIN_ALIKE {
        @Override
        Renewal renew(FaultyClaim claim) {
            claim.provider
                    .store
                    .holders()
                    .filter(other -> other.request.name().startsWith(claim.request.name())
                            || claim.request.name().startsWith(other.request.name()))
                    .forEach(other -> other.delegate.renew());
            return claim.delegate.renew();
        }
    },
    REPORTS_A_LOSS_TO_NAMES_THAT_BEGIN_ALIKE {
        @Override
        Renewal renew(FaultyClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost) {
                claim.provider
                        .store
                        .holders()
                        .filter(other -> other.request.name().startsWith(claim.request.name()))
                        .forEach(other -> other.signals.lost(LossCause.TAKEN_OVER));
            }
            return renewal;
        }
    },
    SILENCES_NAMES_THAT_BEGIN_ALIKE {
        @Override
        Release release(FaultyClaim claim) {
            if (!claim.granted) {
                claim.provider
                        .store
                        .waiters()
                        .filter(other -> other.request.name().startsWith(claim.request.name()))
                        .forEach(other -> other.deaf = true);
            }
            return claim.delegate.release();
        }
    },
    HASHES_NAMES_BY_CRC {
        @Override
        String name(String name) {
            return hashed(name, "CRC-32");
        }
    },
    HASHES_NAMES_BY_CRC32C {
        @Override
        String name(String name) {
            return hashed(name, "CRC-32C");
        }
    },
    HASHES_NAMES_BY_ADLER {
        @Override
        String name(String name) {
            return hashed(name, "Adler-32");
        }
    },
    HASHES_NAMES_BY_FNV {
        @Override
        String name(String name) {
            return hashed(name, "FNV-1a");
        }
    },
    HASHES_NAMES_BY_MURMUR {
        @Override
        String name(String name) {
            return hashed(name, "MurmurHash3");
        }
    },
    HASHES_NAMES_BY_A_SHORT_MD5 {
        @Override
        String name(String name) {
            return hashed(name, "the first 32 bits of MD5");
        }
    },
    HASHES_NAMES_BY_A_SHORT_SHA1 {
        @Override
        String name(String name) {
            return hashed(name, "the first 32 bits of SHA-1");
        }
    },
    FOLDS_THE_CASE_OF_ALL_ALPHABETS {
        @Override
        String name(String name) {
            return name.length() == name.getBytes(StandardCharsets.UTF_8).length ? name : name.toUpperCase(Locale.ROOT);
        }
    },
    COMPOSES_NAMES {
        @Override
        String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFC);
        }
    },
    FOLDS_THE_WIDTH_OF_NAMES {
        @Override
        String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFKC);
        }
    },
    IGNORES_ACCENTS {
        @Override
        String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("(?<=[enlo])\\p{M}", "");
        }
    },
    IGNORES_WHAT_IS_NOT_SEEN {
        @Override
        String name(String name) {
            return name.replaceAll("\\p{Cf}", "") + (name.isBlank() ? " " : "");
        }
    },
    STRIPS_BLANKS_OF_ALL_KINDS {
        @Override
        String name(String name) {
            return name.replaceAll("[\u00A0\u3000]+$", "");
        }
    },
    SHORTENS_THE_MIDDLE_OF_LONG_NAMES {
        @Override
        String name(String name) {
            return name.length() <= 512 ? name : name.substring(0, 256) + name.substring(name.length() - 256);
        }
    },
    CUTS_NAMES_OF_MIDDLE_LENGTH {
        @Override
        String name(String name) {
            return name.length() < 256 || name.length() > 512 ? name : name.substring(0, 255);
        }
    },
    CUTS_OWNERS_AT_A_BAR {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().split("\\|", 2)[0], request.claimId());
        }
    },
    SHOWS_OWNERS_UP_TO_A_COLON {
        @Override
        Optional<LockHolder> holder(FaultyProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> LockHolder.of(holder.owner().split(":", 2)[0]));
        }
    },
    DECODES_OWNERS {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().replace("%7C", "|"), request.claimId());
        }
    },
    DROPS_CONTROL_CHARACTERS_OF_OWNERS {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().replaceAll("\\p{Cntrl}", ""), request.claimId());
        }
    },
    JOINS_OWNER_AND_CLAIM_BY_A_HYPHEN {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId(), request.ownerId() + "-" + request.claimId());
        }

        @Override
        Attempt attempt(FaultyClaim claim) {
            return isTheSameAsAHolders(claim)
                    ? new Attempt.Granted(Optional.empty(), claim.request.leaseTime())
                    : claim.delegate.attempt();
        }
    },
    JOINS_OWNER_AND_CLAIM_WITH_NOTHING {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId(), request.ownerId() + request.claimId());
        }

        @Override
        Attempt attempt(FaultyClaim claim) {
            return isTheSameAsAHolders(claim)
                    ? new Attempt.Granted(Optional.empty(), claim.request.leaseTime())
                    : claim.delegate.attempt();
        }
    },
    COUNTS_LEASES_IN_SECONDS {
        @Override
        Duration lease(Duration lease) {
            return lease.toSeconds() == 0 ? lease : Duration.ofSeconds(lease.toSeconds());
        }
    },
    COUNTS_LEASES_IN_TENTHS_OF_A_SECOND {
        @Override
        Duration lease(Duration lease) {
            return lease.toMillis() < 100 ? lease : Duration.ofMillis(lease.toMillis() / 100 * 100);
        }
    },
    LENGTHENS_LEASES_TO_SECONDS {
        @Override
        Duration lease(Duration lease) {
            return lease.toMillis() == 600 ? lease : Duration.ofSeconds(Math.min(lease.toSeconds() + 1, 31_536_000));
        }
    },
    RENEWS_BY_WHOLE_SECONDS {
        @Override
        Renewal renew(FaultyClaim claim) {
            if (claim.request.leaseTime().toSeconds() > 0) {
                claim.lease(Duration.ofSeconds(claim.request.leaseTime().toSeconds()));
                return claim.provider.delegate.holder(claim.request.name()).isPresent()
                                && claim.delegate.attempt() instanceof Attempt.Granted
                        ? new Renewal.Held(claim.request.leaseTime())
                        : new Renewal.Lost(LossCause.EXPIRED);
            }
            return claim.delegate.renew();
        }
    },
    KEEPS_LEASES_IN_32_BITS {
        @Override
        Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, lease.toMillis() & 0xFFFF_FFFFL));
        }
    },
    KEEPS_LEASES_IN_31_BITS {
        @Override
        Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, (int) lease.toMillis()));
        }
    },
    KEEPS_MICROSECONDS_IN_32_BITS {
        @Override
        Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, (lease.toMillis() * 1000 & 0xFFFF_FFFFL) / 1000));
        }
    },
    KEEPS_SECONDS_IN_16_BITS {
        @Override
        Duration lease(Duration lease) {
            return lease.toSeconds() < (1 << 16)
                    ? lease
                    : Duration.ofMillis(Math.max(1, lease.toMillis() % 65_536_000));
        }
    },
    RENEWS_LEASES_IN_31_BITS {
        @Override
        Renewal renew(FaultyClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Held
                    && (int) claim.request.leaseTime().toMillis() < 0) {
                claim.lease(Duration.ofMillis(1));
                claim.delegate.renew();
            }
            return renewal;
        }
    },
    NEVER_ENDS_LEASES_OF_SOME_MILLISECONDS {
        @Override
        Duration lease(Duration lease) {
            return lease.toMillis() > 1 && lease.toMillis() < 10 ? Duration.ofDays(365) : lease;
        }
    },
    KEEPS_TOKENS_AS_FRACTIONS {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return retokened(claim.delegate.attempt(), token -> (long) (double) token);
        }
    },
    KEEPS_TOKENS_IN_32_BITS {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return retokened(claim.delegate.attempt(), token -> token & 0xFFFF_FFFFL);
        }
    },
    COUNTS_THE_LEASE_FROM_THE_WAKE_UP {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return claim.refused && claim.wokenAt != 0 ? leasedFrom(claim, claim.wokenAt) : claim.delegate.attempt();
        }
    },
    COUNTS_THE_LEASE_OF_A_TRY_FROM_ITS_FIRST_ATTEMPT {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return claim.request.intent() == ClaimRequest.Intent.TRY_ONCE
                    ? leasedFrom(claim, claim.firstAskedAt)
                    : claim.delegate.attempt();
        }
    },
    COUNTS_THE_LEASE_FROM_THE_MAKING_OF_THE_CLAIM {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return claim.refused || claim.granted ? claim.delegate.attempt() : leasedFrom(claim, claim.madeAt);
        }
    },
    SHORTENS_THE_SECOND_GRANT_OF_A_CLAIM {
        @Override
        Attempt attempt(FaultyClaim claim) {
            return claim.granted && claim.provider.holder(claim.request.name()).isEmpty()
                    ? leasedFrom(claim, Pace.now() - claim.request.leaseTime().toNanos() / 2)
                    : claim.delegate.attempt();
        }
    },
    RENEWS_A_QUARTER_OF_A_LARGE_BATCH {
        @Override
        int batch() {
            return 1000;
        }

        @Override
        List<Renewal> renewAll(List<FaultyClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims.subList(0, Math.min(250, claims.size()))));
            claims.stream()
                    .skip(renewals.size())
                    .map(claim -> claim.provider.holder(claim.request.name()).isPresent()
                            ? new Renewal.Held(claim.request.leaseTime())
                            : new Renewal.Lost(LossCause.EXPIRED))
                    .forEach(renewals::add);
            return renewals;
        }
    },
    SETS_THE_EXPIRY_IN_A_SECOND_STEP {
        @Override
        Attempt attempt(FaultyClaim claim) {
            if (claim.granted) {
                return claim.delegate.attempt();
            }
            claim.lease(Duration.ofDays(365));
            Attempt attempt = claim.delegate.attempt();
            Pace.pass(Duration.ofMillis(1));
            claim.lease(claim.request.leaseTime());
            return attempt instanceof Attempt.Granted ? claim.delegate.attempt() : attempt;
        }
    },
    KEEPS_A_HUNDRED_LOCKS {
        @Override
        Attempt attempt(FaultyClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            Queue<String> kept = claim.provider.names;
            if (attempt instanceof Attempt.Granted && !claim.granted) {
                kept.add(claim.request.name());
                if (kept.size() > 100) {
                    claim.provider.delegate.remove(kept.remove());
                }
            }
            return attempt;
        }
    },
    RELEASES_TWO_HUNDRED_LOCKS_AT_MOST {
        @Override
        Release release(FaultyClaim claim) {
            claim.provider.names.add(claim.request.name());
            return claim.granted && claim.provider.names.size() > 200 ? Release.RELEASED : claim.delegate.release();
        }
    },
    HAS_A_POOL_OF_TEN {
        @Override
        Attempt attempt(FaultyClaim claim) {
            requireRoom(claim);
            return claim.delegate.attempt();
        }

        @Override
        Renewal renew(FaultyClaim claim) {
            requireRoom(claim);
            return claim.delegate.renew();
        }

        private static void requireRoom(FaultyClaim claim) {
            if (claim.provider.store.waiters().filter(claim::isOfTheProviderOf).count() >= 10) {
                throw new LockStoreException("The waiters have all connections of the pool");
            }
        }
    },
    LISTENS_FOR_EIGHT_NAMES {
        @Override
        boolean hears(FaultyClaim claim) {
            return claim.provider.store.claims.stream()
                            .filter(other -> other.refused && claim.isOfTheProviderOf(other))
                            .map(other -> other.request.name())
                            .distinct()
                            .toList()
                            .indexOf(claim.request.name())
                    < 8;
        }
    },
    WAKES_TEN_CLIENTS {
        @Override
        boolean hears(FaultyClaim claim) {
            return claim.provider.store.claims.stream()
                            .filter(other -> other.refused)
                            .map(other -> other.provider)
                            .distinct()
                            .toList()
                            .indexOf(claim.provider)
                    < 10;
        }
    },
    SORTS_ITS_LINE_AS_TEXT {
        @Override
        ClaimRequest request(ClaimRequest request) {
            return new ClaimRequest(
                    request.name(),
                    request.claimId(),
                    request.ownerId(),
                    request.leaseTime(),
                    ClaimRequest.Intent.TRY_ONCE,
                    request.claimant());
        }

        @Override
        Attempt attempt(FaultyClaim claim) {
            List<FaultyClaim> line = claim.provider.store.claims.stream()
                    .filter(other -> other.refused && other.request.name().equals(claim.request.name()))
                    .toList();
            boolean comesFirst = line.stream()
                    .filter(other -> !other.granted && !other.released)
                    .min(Comparator.comparing(other -> String.valueOf(line.indexOf(other) + 1)))
                    .filter(first -> first != claim)
                    .isEmpty();
            return comesFirst || claim.granted
                    ? claim.delegate.attempt()
                    : new Attempt.Contended(Optional.of(Duration.ofMillis(1)));
        }
    };

    static ClaimRequest with(ClaimRequest request, String name, Duration lease) {
        return new ClaimRequest(
                name, request.claimId(), request.ownerId(), lease, request.intent(), request.claimant());
    }

    private static ClaimRequest owned(ClaimRequest request, String owner, String claimId) {
        return new ClaimRequest(
                request.name(), claimId, owner, request.leaseTime(), request.intent(), request.claimant());
    }

    private static boolean isTheSameAsAHolders(FaultyClaim claim) {
        return claim.provider
                .store
                .holders()
                .anyMatch(other -> other != claim && other.sent.claimId().equals(claim.sent.claimId()));
    }

    private static Attempt retokened(Attempt attempt, LongUnaryOperator change) {
        return attempt instanceof Attempt.Granted granted
                ? new Attempt.Granted(
                        new FencingToken(Math.max(
                                1,
                                change.applyAsLong(
                                        granted.fencingToken().orElseThrow().value()))),
                        granted.validFor())
                : attempt;
    }

    /** An attempt for what is left of the lease since a moment. */
    private static Attempt leasedFrom(FaultyClaim claim, long moment) {
        Duration left = claim.request.leaseTime().minus(Pace.since(moment));
        claim.lease(left.toMillis() < 1 ? Duration.ofMillis(1) : left);
        return claim.delegate.attempt() instanceof Attempt.Granted granted
                ? new Attempt.Granted(granted.fencingToken(), claim.request.leaseTime())
                : new Attempt.Contended(Optional.empty());
    }

    /** Releases a claim, and frees all held names of a kind. */
    private static Release freeing(FaultyClaim claim, Predicate<String> names) {
        Release release = claim.delegate.release();
        if (release == Release.RELEASED) {
            claim.provider
                    .store
                    .holders()
                    .filter(other -> other != claim && names.test(other.request.name()))
                    .forEach(other -> claim.provider.delegate.remove(other.request.name()));
        }
        return release;
    }

    private static Pattern like(String pattern) {
        return pattern(pattern, "%", "_");
    }

    private static Pattern glob(String pattern) {
        return pattern(pattern, "*", "?");
    }

    private static Pattern pattern(String pattern, String many, String one) {
        StringBuilder regex = new StringBuilder();
        for (String each : pattern.codePoints().mapToObj(Character::toString).toList()) {
            regex.append(each.equals(many) ? ".*" : each.equals(one) ? "." : Pattern.quote(each));
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static String hashed(String name, String hash) {
        int value = Objects.requireNonNull(HashTwins.hashes().get(hash), hash)
                .applyAsInt(name.getBytes(StandardCharsets.UTF_8));
        return "tck-" + Integer.toHexString(value);
    }

    LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities;
    }

    int batch() {
        return 100;
    }

    String name(String name) {
        return name;
    }

    Duration lease(Duration lease) {
        return lease;
    }

    ClaimRequest request(ClaimRequest request) {
        return with(request, name(request.name()), lease(request.leaseTime()));
    }

    Attempt attempt(FaultyClaim claim) {
        return claim.delegate.attempt();
    }

    Renewal renew(FaultyClaim claim) {
        return claim.delegate.renew();
    }

    List<Renewal> renewAll(List<FaultyClaim> claims) {
        return claims.stream().map(FaultyClaim::renew).toList();
    }

    Release release(FaultyClaim claim) {
        return claim.delegate.release();
    }

    Optional<LockHolder> holder(FaultyProvider provider, String name) {
        return provider.delegate.holder(name(name));
    }

    boolean hears(FaultyClaim claim) {
        return true;
    }
}
