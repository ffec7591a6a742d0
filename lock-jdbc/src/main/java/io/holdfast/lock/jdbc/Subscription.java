package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.Stopwatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens to PostgreSQL's messages on one connection, for as long as somebody waits, and a while longer. A lost connection is
 * opened again. Thread-safe.
 */
final class Subscription implements AutoCloseable {

    /** How long one look for messages waits in the socket: so soon its thread notices that it should end. */
    private static final int LOOK_MILLIS = 200;

    /** After so long without a message the connection is tried out: it may be dead without having said so. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** After so long in which nobody waited the connection is given up. */
    private static final Duration DISUSE = Duration.ofSeconds(30);

    private static final int ANSWER_MILLIS = 5_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int MOST_DOUBLINGS = 7;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);
    private static final Logger LOG = System.getLogger(Subscription.class.getPackageName());

    private final Source source;
    private final String channel;
    private final WakeUps wakeUps;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;
    private volatile boolean behindPooler;
    private volatile int failuresInARow;
    private volatile @Nullable Connection connection;
    private @Nullable Thread thread;

    /** Where the connection comes from. */
    interface Source {
        Lent open() throws SQLException;
    }

    Subscription(Source source, String channel, WakeUps wakeUps) {
        this.source = source;
        this.channel = channel;
        this.wakeUps = wakeUps;
    }

    /** Makes sure that it listens; returns whether it can be expected to. */
    boolean wanted() {
        lock.lock();
        try {
            if (thread == null && !closed && !behindPooler) {
                Thread fresh = new Thread(this::run, "holdfast-jdbc-subscription");
                fresh.setDaemon(true);
                fresh.start();
                // Only now: one that cannot be started is tried again by whoever waits next.
                thread = fresh;
            }
            changed.signalAll();
            return failuresInARow == 0 && !behindPooler;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!behindPooler && awaitDemand()) {
                try {
                    listen();
                } catch (SQLException | RuntimeException | Error failure) {
                    if (!closed) {
                        pauseAfter(failed(failure));
                    }
                }
            }
        } finally {
            replaceable();
        }
    }

    /** Whatever ended the thread, unless it was the end of all: who waits next starts another one. */
    private void replaceable() {
        lock.lock();
        try {
            if (!closed) {
                thread = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitDemand() {
        lock.lock();
        try {
            while (!closed && !wakeUps.anyWaiting()) {
                changed.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Listens until nobody has waited for a while; throws if it fails. */
    private void listen() throws SQLException {
        Lent lent = source.open();
        try {
            if (closed) {
                return;
            }
            Connection open = lent.connection();
            connection = open;
            boolean orderly = false;
            try {
                open.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
                PGConnection messages = open.unwrap(PGConnection.class);
                if (backend(open) == messages.getBackendPID()) {
                    execute(open, "LISTEN \"" + channel + "\"");
                    failuresInARow = 0;
                    wakeUps.listening();
                    hear(open, messages);
                    wakeUps.deaf();
                    execute(open, "UNLISTEN *");
                } else {
                    giveUp();
                }
                orderly = true;
            } finally {
                connection = null;
                wakeUps.deaf();
                if (!orderly) {
                    // It may listen still, or be stuck: a pool must not hand it out again.
                    open.abort(Runnable::run);
                }
            }
        } finally {
            lent.giveBack();
        }
    }

    private void hear(Connection open, PGConnection messages) throws SQLException {
        Stopwatch silence = new Stopwatch();
        Stopwatch disuse = new Stopwatch();
        while (!closed && !disuse.hasRunFor(DISUSE)) {
            PGNotification[] heard = messages.getNotifications(LOOK_MILLIS);
            if (wakeUps.anyWaiting()) {
                disuse.restart();
            }
            if (heard == null || heard.length == 0) {
                if (silence.hasRunFor(SILENCE)) {
                    execute(open, "SELECT 1");
                    silence.restart();
                }
                continue;
            }
            silence.restart();
            for (PGNotification each : heard) {
                wakeUps.released(each.getParameter());
            }
        }
    }

    private static int backend(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
            return pid.next() ? pid.getInt(1) : 0;
        }
    }

    /**
     * Messages come to the server's connection that listened. Whoever stands in between may have given that to another client, so
     * none can be relied on, and nobody would notice.
     */
    private void giveUp() {
        behindPooler = true;
        LOG.log(
                Level.WARNING,
                "The connection does not lead straight to the server, so messages of lock releases may not arrive: waiting"
                        + " claims ask again by themselves. Set wakeUp to poll, or connect without a pooler in between");
        // After the decision: whoever was told before it that messages would come is among these.
        wakeUps.wakeWaiting();
    }

    private static void execute(Connection open, String text) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(text);
        }
    }

    /** Counts a failure; returns how many there were in a row before it. */
    private int failed(Throwable failure) {
        int before = failuresInARow;
        failuresInARow = before + 1;
        if (before == 0) {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; until it is back, waiting claims ask again"
                            + " by themselves: " + failure,
                    failure instanceof SQLException || failure instanceof LockStoreException ? null : failure);
            // After the counting: whoever was told before it that messages would come is among these.
            wakeUps.wakeWaiting();
        }
        return before;
    }

    private void pauseAfter(int failures) {
        long longest =
                Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(failures, MOST_DOUBLINGS));
        // Jittered, or all clients of a restarted server come back in the same moment.
        long nanos = ThreadLocalRandom.current().nextLong(longest / 2, longest);
        lock.lock();
        try {
            while (!closed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException stop) {
            // The thread is ours, so nobody else can mean anything by this but the end.
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running;
        lock.lock();
        try {
            changed.signalAll();
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null && !ended(running)) {
            cutOff();
            // Ends a wait for a connection of somebody else's pool, which may have no limit.
            running.interrupt();
            ended(running);
        }
    }

    private void cutOff() {
        Connection open = connection;
        if (open == null) {
            return;
        }
        try {
            open.abort(Runnable::run);
        } catch (SQLException failure) {
            LOG.log(Level.WARNING, "The connection to lock releases was not cut off: " + failure.getMessage());
        }
    }

    /** Waits for the end of the thread, which looks for it several times a second. */
    private static boolean ended(Thread running) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(running, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return !running.isAlive();
    }
}
