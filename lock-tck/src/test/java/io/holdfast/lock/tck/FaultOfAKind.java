package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
    };

    static ClaimRequest with(ClaimRequest request, String name, Duration lease) {
        return new ClaimRequest(
                name, request.claimId(), request.ownerId(), lease, request.intent(), request.claimant());
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
        for (String each : pattern.split("")) {
            regex.append(each.equals(many) ? ".*" : each.equals(one) ? "." : Pattern.quote(each));
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static String hashed(String name, String hash) {
        int value = HashTwins.hashes().get(hash).applyAsInt(name.getBytes(StandardCharsets.UTF_8));
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
