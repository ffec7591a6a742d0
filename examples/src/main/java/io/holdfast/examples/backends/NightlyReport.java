package io.holdfast.examples.backends;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A job that every node of a cluster starts, and only one may do. Here two clients stand for two nodes. */
final class NightlyReport {

    private static final String JOB = "nightly-report";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private NightlyReport() {}

    /**
     * What every program of this package does.
     *
     * @param usualUri the URI of the store, unless another is given
     * @param args that URI, and properties as {@code name=value}
     */
    static void run(String usualUri, String... args) throws InterruptedException {
        try (LockClient first = connect(usualUri, args);
                LockClient second = connect(usualUri, args)) {
            try (LockHandle held = take(first.lock(JOB))) {
                System.out.println("first node: writes the report under the token " + held.fencingToken());
                boolean refused = second.lock(JOB).tryAcquire().isEmpty();
                System.out.println(
                        "second node: " + (refused ? "leaves it to " + holder(second) : "was let in as well"));
            }
            try (LockHandle held = take(second.lock(JOB))) {
                System.out.println("second node: has its turn under the token " + held.fencingToken());
            }
        }
    }

    private static LockClient connect(String usualUri, String... args) {
        LockClient.Builder builder = LockClient.builder(args.length > 0 ? args[0] : usualUri);
        for (String property : Arrays.asList(args).subList(Math.min(1, args.length), args.length)) {
            String[] nameAndValue = property.split("=", 2);
            if (nameAndValue.length < 2) {
                throw new IllegalArgumentException("'" + property + "' is no property; allowed is name=value");
            }
            builder.property(nameAndValue[0], nameAndValue[1]);
        }
        return builder.build();
    }

    private static LockHandle take(DistributedLock lock) throws InterruptedException {
        Optional<LockHandle> grant = lock.tryAcquire(PATIENCE);
        return grant.orElseThrow(() -> new IllegalStateException("Others had the lock for " + PATIENCE));
    }

    private static String holder(LockClient client) {
        return client.holder(JOB)
                .map(holder -> "process " + holder.pid().orElseThrow() + " on "
                        + holder.host().orElseThrow())
                .orElse("nobody");
    }
}
