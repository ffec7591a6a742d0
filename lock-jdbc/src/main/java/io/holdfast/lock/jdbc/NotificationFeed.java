package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.Stopwatch;
import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears of releases by PostgreSQL's notifications: one connection, and the daemon thread that reads it, for as long as a name is
 * subscribed to. All names share one channel; a notification carries the hash of its name. A lost connection is opened again.
 * Thread-safe.
 *
 * <p>Whether the connection listens and which names are subscribed to change together, under one lock. The listener is called
 * without it.
 */
final class NotificationFeed implements ReleaseFeed, AutoCloseable {

    /** How long one look for notifications waits in the socket: so soon its thread notices that it should end. */
    private static final int LOOK_MILLIS = 200;

    /** After so long without a notification the connection is tried out: it may be dead without having said so. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int ANSWER_MILLIS = 5_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int MOST_DOUBLINGS = 7;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);
    private static final String THREAD = "holdfast-jdbc-notifications";
    private static final Logger LOG = System.getLogger(NotificationFeed.class.getPackageName());

    private final Source source;
    private final String channel;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;
    private volatile @Nullable Connection connection;

    // Guarded by the lock.
    private final Map<String, String> namesByHash = new HashMap<>();
    private boolean listening;
    private boolean behindPooler;
    private @Nullable Thread thread;

    // The reading thread's own.
    private int failuresInARow;

    /** Where the connection comes from. */
    interface Source {
        Lent open() throws SQLException;
    }

    NotificationFeed(Source source, String channel, Listener listener) {
        this.source = source;
        this.channel = channel;
        this.listener = listener;
    }

    @Override
    public void subscribe(String name) {
        lock.lock();
        try {
            if (closed || behindPooler || namesByHash.put(LockKey.of(name).hash(), name) != null) {
                return;
            }
            if (thread == null) {
                Thread started = new Thread(this::run, THREAD);
                started.setDaemon(true);
                started.start();
                thread = started;
            }
            changed.signalAll();
            if (!listening) {
                return;
            }
        } finally {
            lock.unlock();
        }
        listener.listening(name);
    }

    @Override
    public void unsubscribe(String name) {
        lock.lock();
        try {
            namesByHash.remove(LockKey.of(name).hash());
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (awaitNames()) {
            try {
                listen();
            } catch (SQLException | RuntimeException | Error failure) {
                // Also what should never come: without this thread, nobody would hear of a release any more.
                if (!closed) {
                    recover(failure);
                }
            }
        }
    }

    private boolean awaitNames() {
        lock.lock();
        try {
            while (!closed && !behindPooler && namesByHash.isEmpty()) {
                changed.awaitUninterruptibly();
            }
            return !closed && !behindPooler;
        } finally {
            lock.unlock();
        }
    }

    /** Listens until no name is subscribed to any more; throws if the connection fails. */
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
                PGConnection notifications = open.unwrap(PGConnection.class);
                if (backend(open) == notifications.getBackendPID()) {
                    execute(open, "LISTEN \"" + channel + "\"");
                    failuresInARow = 0;
                    setListening(true).forEach(listener::listening);
                    read(open, notifications);
                    execute(open, "UNLISTEN *");
                } else {
                    giveUp();
                }
                orderly = true;
            } finally {
                connection = null;
                if (!orderly) {
                    // It may listen still, or be stuck: a pool must not hand it out again.
                    open.abort(Runnable::run);
                }
            }
        } finally {
            lent.giveBack();
        }
    }

    private void read(Connection open, PGConnection notifications) throws SQLException {
        Stopwatch silence = new Stopwatch();
        while (!closed && !endIfUnused()) {
            PGNotification[] heard = notifications.getNotifications(LOOK_MILLIS);
            if (heard != null && heard.length > 0) {
                silence.restart();
                for (PGNotification each : heard) {
                    nameOf(each.getParameter()).ifPresent(listener::released);
                }
            } else if (silence.hasRunFor(SILENCE)) {
                execute(open, "SELECT 1");
                silence.restart();
            }
        }
    }

    /** If no name is subscribed to, one that comes now is not told that this connection listens. */
    private boolean endIfUnused() {
        lock.lock();
        try {
            listening = !namesByHash.isEmpty();
            return !listening;
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> nameOf(String hash) {
        lock.lock();
        try {
            return Optional.ofNullable(namesByHash.get(hash));
        } finally {
            lock.unlock();
        }
    }

    /** Notes whether notifications arrive; returns the names that need to know. */
    private List<String> setListening(boolean arriving) {
        lock.lock();
        try {
            listening = arriving;
            return List.copyOf(namesByHash.values());
        } finally {
            lock.unlock();
        }
    }

    private static int backend(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
            return pid.next() ? pid.getInt(1) : 0;
        }
    }

    /**
     * Notifications come to the server's connection that listened. A pooler in between may have given that to another client, so
     * none can be relied on, and nobody would notice.
     */
    private void giveUp() {
        lock.lock();
        try {
            behindPooler = true;
        } finally {
            lock.unlock();
        }
        LOG.log(
                Level.WARNING,
                "The connection does not lead straight to the server, so notifications of lock releases may not arrive:"
                        + " waiters poll. Set wakeUp to poll, or connect without a pooler in between");
    }

    private static void execute(Connection open, String text) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(text);
        }
    }

    private void recover(Throwable failure) {
        if (failuresInARow == 0) {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; until it is back, waiters poll: " + failure,
                    failure instanceof SQLException || failure instanceof LockStoreException ? null : failure);
        }
        failuresInARow++;
        setListening(false).forEach(listener::interrupted);
        long longest =
                Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(failuresInARow, MOST_DOUBLINGS));
        // At random, or all clients of a restarted server come back in the same moment.
        pause(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    private void pause(long pauseNanos) {
        long nanos = pauseNanos;
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
