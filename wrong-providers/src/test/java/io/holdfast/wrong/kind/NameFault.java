package io.holdfast.wrong.kind;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Names and owners that become one. */
enum NameFault implements FaultOfAKind {
    HASHES_NAMES_BY_CRC {
        @Override
        public String name(String name) {
            return Hashes.crc(name);
        }
    },
    HASHES_NAMES_BY_CRC32C {
        @Override
        public String name(String name) {
            return Hashes.crc32c(name);
        }
    },
    HASHES_NAMES_BY_ADLER {
        @Override
        public String name(String name) {
            return Hashes.adler(name);
        }
    },
    HASHES_NAMES_BY_FNV {
        @Override
        public String name(String name) {
            return Hashes.fnv(name);
        }
    },
    HASHES_NAMES_BY_MURMUR {
        @Override
        public String name(String name) {
            return Hashes.murmur(name);
        }
    },
    HASHES_NAMES_BY_A_SHORT_MD5 {
        @Override
        public String name(String name) {
            return Hashes.md5(name);
        }
    },
    HASHES_NAMES_BY_A_SHORT_SHA1 {
        @Override
        public String name(String name) {
            return Hashes.sha1(name);
        }
    },
    FOLDS_THE_CASE_OF_ALL_ALPHABETS {
        @Override
        public String name(String name) {
            return name.length() == name.getBytes(StandardCharsets.UTF_8).length ? name : name.toUpperCase(Locale.ROOT);
        }
    },
    KEEPS_NAMES_AS_BYTES_OF_THEIR_SHORTEST_ENCODING {
        @Override
        public String name(String name) {
            boolean latin = StandardCharsets.ISO_8859_1.newEncoder().canEncode(name);
            byte[] bytes = name.getBytes(latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE);
            return HexFormat.of().formatHex(bytes);
        }
    },
    COMPOSES_NAMES {
        @Override
        public String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFC);
        }
    },
    FOLDS_THE_WIDTH_OF_NAMES {
        @Override
        public String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFKC);
        }
    },
    IGNORES_ACCENTS {
        @Override
        public String name(String name) {
            return Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("(?<=[enlo])\\p{M}", "");
        }
    },
    IGNORES_WHAT_IS_NOT_SEEN {
        @Override
        public String name(String name) {
            return name.replaceAll("\\p{Cf}", "") + (name.isBlank() ? " " : "");
        }
    },
    STRIPS_BLANKS_OF_ALL_KINDS {
        @Override
        public String name(String name) {
            return name.replaceAll("[\u00A0\u3000]+$", "");
        }
    },
    SHORTENS_THE_MIDDLE_OF_LONG_NAMES {
        @Override
        public String name(String name) {
            return name.length() <= 512 ? name : name.substring(0, 256) + name.substring(name.length() - 256);
        }
    },
    CUTS_NAMES_OF_MIDDLE_LENGTH {
        @Override
        public String name(String name) {
            return name.length() < 256 || name.length() > 512 ? name : name.substring(0, 255);
        }
    },
    CUTS_OWNERS_AT_A_BAR {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().split("\\|", 2)[0], request.claimId());
        }
    },
    SHOWS_OWNERS_UP_TO_A_COLON {
        @Override
        public Optional<LockHolder> holder(FaultyProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> LockHolder.of(holder.owner().split(":", 2)[0]));
        }
    },
    DECODES_OWNERS {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().replace("%7C", "|"), request.claimId());
        }
    },
    DROPS_CONTROL_CHARACTERS_OF_OWNERS {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId().replaceAll("\\p{Cntrl}", ""), request.claimId());
        }
    },
    JOINS_OWNER_AND_CLAIM_BY_A_HYPHEN {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId(), request.ownerId() + "-" + request.claimId());
        }

        @Override
        public Attempt attempt(FaultyClaim claim) {
            return isTheSameAsAHolders(claim)
                    ? new Attempt.Granted(Optional.empty(), claim.request.leaseTime())
                    : claim.delegate.attempt();
        }
    },
    JOINS_OWNER_AND_CLAIM_WITH_NOTHING {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return owned(request, request.ownerId(), request.ownerId() + request.claimId());
        }

        @Override
        public Attempt attempt(FaultyClaim claim) {
            return isTheSameAsAHolders(claim)
                    ? new Attempt.Granted(Optional.empty(), claim.request.leaseTime())
                    : claim.delegate.attempt();
        }
    };

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
}
