package io.holdfast.parts;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;

/** The objects of this JVM that can be reached. What other tests do at the same time counts as well. */
public final class LiveHeap {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    private static final int LOCKS = 10_000;

    private LiveHeap() {}

    /**
     * Measures what holding a lock costs, with all that it alone leads to.
     *
     * @param client holds 10,000 locks afterwards: so many that all else does not matter
     * @return the bytes for each
     */
    public static long bytesForEachLockOf(LockClient client) {
        List<String> names =
                IntStream.range(0, LOCKS).mapToObj(i -> "lock-" + i).toList();
        // What is made once, such as the threads, is there before the counting.
        IntStream.range(0, 1_000)
                .forEach(
                        i -> client.lock("first" + i).tryAcquire().orElseThrow().close());
        LockHandle[] kept = new LockHandle[LOCKS];
        long before = bytes();
        try {
            IntStream.range(0, LOCKS)
                    .forEach(i ->
                            kept[i] = client.lock(names.get(i)).tryAcquire().orElseThrow());
            return (bytes() - before) / LOCKS;
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    private static long bytes() {
        try {
            // Collects what cannot be reached before it counts.
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Matcher total = TOTAL.matcher(histogram);
            if (!total.find()) {
                throw new IllegalStateException("No total in " + histogram);
            }
            return Long.parseLong(total.group(1));
        } catch (JMException missing) {
            throw new IllegalStateException("This JVM counts no objects", missing);
        }
    }
}
