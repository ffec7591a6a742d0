package io.holdfast.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A JVM that acquires many locks and holds them until its parent tells it to release them. */
final class HoldsProcess {

    /** With the bytes of heap for each lock, and the threads that there were not before. */
    static final String HELD = "HELD";

    static final String RELEASE = "release";
    static final String RELEASED = "RELEASED";

    private HoldsProcess() {}

    public static void main(String[] arguments) throws Exception {
        Benchmarks.quiet();
        int locks = Integer.parseInt(arguments[3]);
        int threadsBefore = threads();
        try (Locks client =
                Scenarios.named(arguments[0]).contender(arguments[1]).opening().open(arguments[2])) {
            List<Section> held = new ArrayList<>(locks);
            hold(client, held);
            long heapBefore = heap();
            while (held.size() < locks) {
                hold(client, held);
            }
            long bytes = (heap() - heapBefore) / (locks - 1);
            System.out.println(HELD + " " + bytes + " " + (threads() - threadsBefore));
            awaitOrder();
            for (Section section : held) {
                section.leave();
            }
        }
        System.out.println(RELEASED);
        System.exit(0);
    }

    private static void hold(Locks client, List<Section> held) throws Exception {
        Section section = client.section("lock-" + held.size());
        OptionalLong unusedToken = section.enter();
        held.add(section);
    }

    private static void awaitOrder() throws Exception {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (!RELEASE.equals(line)) {
            throw new IllegalStateException("not '" + RELEASE + "' but: " + line);
        }
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** What is reachable. Twice, as the first collection leaves what finalizers and cleaners keep. */
    private static long heap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
