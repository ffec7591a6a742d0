package io.holdfast.wrong.mutant;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Contended;
import io.holdfast.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Names, owners or ids that are not kept apart. */
enum NameMutant implements Mutant {
    FOLDS_CASE {
        @Override
        public String name(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    },
    TRUNCATES_NAMES {
        @Override
        public String name(String name) {
            return name.substring(0, Math.min(255, name.length()));
        }
    },
    SANITISES_NAMES {
        @Override
        public String name(String name) {
            return name.replaceAll("[/: ]", "_");
        }
    },
    HASHES_NAMES {
        @Override
        public String name(String name) {
            return Integer.toHexString(name.hashCode());
        }
    },
    CUTS_NAMES_AFTER_SO_MANY_BYTES {
        @Override
        public String name(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            return new String(bytes, 0, Math.min(1024, bytes.length), StandardCharsets.UTF_8);
        }
    },
    CONFUSES_RARE_CHARACTERS {
        @Override
        public String name(String name) {
            return name.replaceAll("[\\x{10000}-\\x{10FFFF}]", "\uFFFD");
        }
    },
    KEEPS_ITS_QUEUE_UNDER_A_NAME_LIKE_A_LOCKS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            String name = claim.request.name();
            return name.endsWith(":queue") && Claims.isHeld(name.replace(":queue", ""))
                    ? new Contended(Optional.empty())
                    : claim.delegate.attempt();
        }
    },
    TRIMS_OWNERS {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(request, request.name(), request.ownerId().stripTrailing(), request.leaseTime());
        }
    },
    TRUNCATES_OWNERS {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            String owner = request.ownerId();
            return Mutant.with(
                    request, request.name(), owner.substring(0, Math.min(255, owner.length())), request.leaseTime());
        }
    },
    TRUNCATES_CLAIM_IDS {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            String id = request.claimId();
            return new ClaimRequest(
                    request.name(),
                    id.substring(0, Math.min(36, id.length())),
                    request.ownerId(),
                    request.leaseTime(),
                    request.intent(),
                    request.claimant());
        }
    };
}
