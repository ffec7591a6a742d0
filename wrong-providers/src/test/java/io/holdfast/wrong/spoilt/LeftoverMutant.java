package io.holdfast.wrong.spoilt;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is left behind, or told of the wrong claim. */
enum LeftoverMutant implements Spoilt {
    QUEUES_A_CLAIM_WHEN_IT_IS_MADE {
        private static final Map<String, Queue<SpoiltClaim>> lines = new ConcurrentHashMap<>();

        private Queue<SpoiltClaim> line(SpoiltClaim claim) {
            return lines.computeIfAbsent(claim.name(), name -> new ConcurrentLinkedQueue<>());
        }

        @Override
        public void made(SpoiltClaim claim) {
            line(claim).add(claim);
        }

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            boolean first = line(claim).isEmpty() || line(claim).peek() == claim;
            Attempt attempt =
                    first || claim.granted ? claim.delegate.attempt() : new Attempt.Contended(Optional.empty());
            if (attempt instanceof Attempt.Granted) {
                line(claim).remove(claim);
            }
            return attempt;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            line(claim).remove(claim);
            return claim.delegate.release();
        }
    },
    LEAKS_A_THREAD_WITH_EACH_WITHDRAWN_WAIT {
        @Override
        public Release release(SpoiltClaim claim) {
            if (claim.contended && !claim.granted) {
                Thread watcher = new Thread(
                        () -> Moments.passUntil(Duration.ofMinutes(1), () -> claim.provider.closed), "leaked-watcher");
                watcher.setDaemon(true);
                watcher.start();
            }
            return claim.delegate.release();
        }
    },
    LEAKS_A_DESCRIPTOR_WITH_EACH_CLIENT {
        private static final Queue<FileInputStream> leaked = new ConcurrentLinkedQueue<>();

        @Override
        public void open(SpoiltProvider provider) {
            try {
                leaked.add(new FileInputStream("/dev/null"));
            } catch (IOException missing) {
                throw new UncheckedIOException(missing);
            }
        }
    },
    ANSWERS_AFTER_ITS_CLOSE_WHAT_IT_KNEW {
        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            if (provider.closed && provider.memory.containsKey(name)) {
                return Optional.empty();
            }
            Optional<LockHolder> holder = provider.delegate.holder(name);
            provider.memory.put(name, "known");
            return holder;
        }
    },
    TELLS_THE_HIGHEST_TOKEN_AFTER_ITS_CLOSE {
        @Override
        public long highestToken(SpoiltProvider provider) {
            return provider.closed ? 1 : provider.delegate.highestToken();
        }
    },
    PRETENDS_TO_RELEASE_AFTER_ITS_CLOSE {
        @Override
        public Release release(SpoiltClaim claim) {
            return claim.provider.closed ? Release.RELEASED : claim.delegate.release();
        }
    },
    RENEWS_AFTER_ITS_CLOSE_WHAT_WAS_RENEWED_BEFORE {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            return claim.provider.closed && claim.renewals > 0
                    ? new Renewal.Held(claim.request.leaseTime())
                    : claim.delegate.renew();
        }
    },
    SWALLOWS_THE_INTERRUPT_OF_A_RELEASE {
        @Override
        public Release release(SpoiltClaim claim) {
            Release release = claim.delegate.release();
            Thread.interrupted();
            return release;
        }
    },
    SWALLOWS_THE_INTERRUPT_OF_A_CLOSE {
        @Override
        public void close(SpoiltProvider provider) {
            provider.delegate.close();
            Thread.interrupted();
        }
    },
    TELLS_THE_ASKERS_HOST {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            claim.provider.memory.put("host", claim.request.claimant().host());
            return claim.delegate.attempt();
        }

        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            return provider.delegate
                    .holder(name)
                    .map(holder -> holder.withHost((String) provider.memory.getOrDefault("host", "nobody")));
        }
    },
    MOVES_SINCE_WITH_A_REPEATED_ATTEMPT {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (claim.granted) {
                SINCE.put(claim.name(), Instant.now());
            }
            return claim.delegate.attempt();
        }

        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            return withMovedSince(provider, name);
        }
    },
    MOVES_SINCE_WITH_EACH_RENEWAL {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            SINCE.put(claim.name(), Instant.now());
            return claim.delegate.renew();
        }

        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            return withMovedSince(provider, name);
        }
    },
    TELLS_SINCE_WHEN_A_CLAIM_WAS_MADE {
        private static final Map<String, Instant> made = new ConcurrentHashMap<>();

        @Override
        public void made(SpoiltClaim claim) {
            made.put(claim.name() + claim.request.ownerId(), Instant.now());
        }

        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            return provider.delegate
                    .holder(name)
                    .map(holder -> holder.withSince(made.getOrDefault(name + holder.owner(), Instant.EPOCH)));
        }
    };

    private static final Map<String, Instant> SINCE = new ConcurrentHashMap<>();

    private static Optional<LockHolder> withMovedSince(SpoiltProvider provider, String name) {
        return provider.delegate
                .holder(name)
                .map(holder -> SINCE.containsKey(name) ? holder.withSince(SINCE.get(name)) : holder);
    }
}
