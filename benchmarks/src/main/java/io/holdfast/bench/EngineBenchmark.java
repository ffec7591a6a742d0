package io.holdfast.bench;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What JMH runs: cycles of one contender, in a JVM of its own. */
public class EngineBenchmark {

    /** Has no state. */
    public EngineBenchmark() {}

    /**
     * Acquires and releases.
     *
     * @param client what is common to all threads
     * @param thread what the thread has alone
     * @throws Exception if the contender fails, or grants the lock to two at once
     */
    @Benchmark
    public void cycle(Client client, OneThread thread) throws Exception {
        client.referee.entered(thread.lock, thread.section.enter());
        client.referee.leaves(thread.lock);
        thread.section.leave();
    }

    /** The client of a contender. */
    @State(Scope.Benchmark)
    public static class Client {

        /** The name of the scenario. */
        @Param("")
        public String scenario = "";

        /** The name of the contender. */
        @Param("")
        public String contender = "";

        private final AtomicInteger threads = new AtomicInteger();
        private Referee referee = Referee.of(1);
        private Locks locks = new JdkLocks();
        private int lockCount = 1;

        /** Opens nothing yet. */
        public Client() {}

        /**
         * Opens the client.
         *
         * @throws Exception if that fails
         */
        @Setup
        public void open() throws Exception {
            Scenario wanted = Scenarios.named(scenario);
            lockCount = ((EngineCycles) wanted.exercise()).locks();
            referee = Referee.of(lockCount);
            locks = wanted.contender(contender).opening().open("");
        }

        /**
         * Closes the client.
         *
         * @throws Exception if that fails
         */
        @TearDown
        public void close() throws Exception {
            locks.close();
        }
    }

    /** One thread. */
    @State(Scope.Thread)
    public static class OneThread {

        private int lock;
        private Section section = new JdkLocks().section("");

        /** Has no lock yet. */
        public OneThread() {}

        /**
         * Makes the lock of the thread.
         *
         * @param client what is common to all threads
         * @throws Exception if that fails
         */
        @Setup(Level.Trial)
        public void open(Client client) throws Exception {
            lock = client.threads.getAndIncrement() % client.lockCount;
            section = client.locks.section("lock-" + lock);
        }
    }
}
