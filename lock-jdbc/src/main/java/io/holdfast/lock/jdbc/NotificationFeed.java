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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Receives releases by PostgreSQL's notifications: one connection, and one daemon thread that reads it, while a name is
 * subscribed to. All names share one channel; a notification carries the hash of its name. A lost connection is
 * replaced. Thread-safe.
 *
 * <p>The monitor guards both whether the connection listens and which names are subscribed to. The listener is called
 * without it.
 */
final class NotificationFeed implements ReleaseFeed, AutoCloseable {

    /** How long one read of notifications blocks, and so how soon the thread notices that it should end. */
    private static final int READ_MILLIS = 200;

    /** After so long without a notification the connection is tested: it may be dead without an error. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int ANSWER_MILLIS = 5_000;
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(25);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int MOST_DOUBLINGS = 7;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);
    private static final String THREAD = "holdfast-jdbc-notifications";
    private static final Logger LOG = System.getLogger(NotificationFeed.class.getPackageName());

    private final Supplier<BorrowedConnection> source;
    private final String channel;
    private final Listener listener;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Connection connection;

    // Guarded by the monitor.
    private final Map<String, String> namesByHash = new HashMap<>();
    private boolean listening;
    private boolean behindPooler;
    private boolean running;
    private @Nullable Thread thread;

    // Used by the one running thread alone.
    private int failuresInARow;

    NotificationFeed(Supplier<BorrowedConnection> source, String channel, Listener listener) {
        this.source = source;
        this.channel = channel;
        this.listener = listener;
    }

    @Override
    public void subscribe(String name) {
        if (add(name)) {
            listener.listening(name);
        }
    }

    /** Adds a name; returns whether the connection is listening already. */
    private synchronized boolean add(String name) {
        if (isClosed() || behindPooler) {
            return false;
        }
        // Before the name is known: should the system have no thread, the next subscription tries again.
        if (!running) {
            Thread started = new Thread(this::run, THREAD);
            started.setDaemon(true);
            started.start();
            thread = started;
            running = true;
        }
        return namesByHash.put(LockKey.of(name).hash(), name) == null && listening;
    }

    @Override
    public synchronized void unsubscribe(String name) {
        namesByHash.remove(LockKey.of(name).hash());
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    private void run() {
        while (isNeeded()) {
            try {
                listen();
            } catch (SQLException | RuntimeException | Error failure) {
                // Errors as well: without this thread waiters would get no wake-ups any more.
                if (!isClosed()) {
                    recover(failure);
                }
            }
        }
    }

    /** Whether the thread goes on; otherwise the next name that is subscribed to starts another one. */
    private synchronized boolean isNeeded() {
        running = !isClosed() && !behindPooler && !namesByHash.isEmpty();
        return running;
    }

    /** Listens until no name is subscribed to any more; throws if the connection fails. */
    private void listen() throws SQLException {
        BorrowedConnection borrowed = source.get();
        try {
            if (isClosed()) {
                return;
            }
            Connection open = borrowed.connection();
            connection = open;
            boolean ended = false;
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
                ended = true;
            } finally {
                connection = null;
                if (!ended) {
                    // It may still listen, or be stuck: the pool must not lend it again.
                    open.abort(Runnable::run);
                }
            }
        } finally {
            borrowed.giveBack();
        }
    }

    private void read(Connection open, PGConnection notifications) throws SQLException {
        Stopwatch silence = new Stopwatch();
        while (!isClosed() && !endIfUnused()) {
            PGNotification[] received = notifications.getNotifications(READ_MILLIS);
            if (received != null && received.length > 0) {
                silence.restart();
                for (PGNotification each : received) {
                    nameOf(each.getParameter()).ifPresent(listener::released);
                }
            } else if (silence.hasRunFor(SILENCE)) {
                execute(open, "SELECT 1");
                silence.restart();
            }
        }
    }

    /** Stops listening if no name is subscribed to. A name that comes later waits for the next connection. */
    private synchronized boolean endIfUnused() {
        listening = !namesByHash.isEmpty();
        return !listening;
    }

    private synchronized Optional<String> nameOf(String hash) {
        return Optional.ofNullable(namesByHash.get(hash));
    }

    /** Sets whether notifications arrive; returns the names to report it for. */
    private synchronized List<String> setListening(boolean arrive) {
        listening = arrive;
        return List.copyOf(namesByHash.values());
    }

    private static int backend(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
            return pid.next() ? pid.getInt(1) : 0;
        }
    }

    /**
     * Ends the feed behind a pooler. Notifications go to the server connection that listened, which the pooler may have
     * given to another client; they would get lost unnoticed.
     */
    private void giveUp() {
        synchronized (this) {
            behindPooler = true;
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
        setListening(false).forEach(listener::interrupted);
        if (failuresInARow == 0) {
            warn(failure);
        }
        failuresInARow++;
        long longest =
                Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(failuresInARow, MOST_DOUBLINGS));
        // Random, so that the clients of a restarted server do not reconnect all at once.
        pause(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    private static void warn(Throwable failure) {
        try {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; until it is back, waiters poll: " + failure,
                    failure instanceof SQLException || failure instanceof LockStoreException ? null : failure);
        } catch (RuntimeException | Error broken) {
            // A handler of the application's log must not end this thread, which nothing restarts.
            failure.addSuppressed(broken);
        }
    }

    private void pause(long nanos) {
        try {
            closing.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            // Only close() interrupts this thread.
            closing.countDown();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        Optional<Thread> running = thread();
        if (running.isPresent() && !awaitEnd(running.get())) {
            abortConnection();
            // Ends the wait for a connection of an application's pool, which may have no limit.
            running.get().interrupt();
            awaitEnd(running.get());
        }
    }

    private synchronized Optional<Thread> thread() {
        return Optional.ofNullable(thread);
    }

    private void abortConnection() {
        Connection open = connection;
        if (open == null) {
            return;
        }
        try {
            open.abort(Runnable::run);
        } catch (SQLException failure) {
            LOG.log(Level.WARNING, "The connection for lock releases could not be aborted: " + failure.getMessage());
        }
    }

    /** Waits for the thread to end, which checks for it several times a second. */
    private static boolean awaitEnd(Thread running) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(running, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return !running.isAlive();
    }
}
