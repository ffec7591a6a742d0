package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.tck.faults.StoreServer;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server for one test of the kit, which may stop and kill it. The start of one takes seconds, so there are two of each kind,
 * and the tests take turns. There are more if tests keep them for long. They end with the JVM.
 */
final class LentServer implements StoreServer {

    private static final int OF_EACH_KIND = 2;

    /** A part of the time that a test of the kit may take, which goes on meanwhile. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Map<Database, BlockingQueue<LentServer>> IDLE = new ConcurrentHashMap<>();

    private final String like;
    private final BlockingQueue<LentServer> idle;
    private @Nullable DatabaseServer server;

    private LentServer(String like, BlockingQueue<LentServer> idle) {
        this.like = like;
        this.idle = idle;
    }

    /**
     * A server with the lock table, of the same kind as that of a URL. Waits until another test has given one back, and is one
     * more if that takes too long.
     */
    static LentServer of(String url) {
        BlockingQueue<LentServer> idle = IDLE.computeIfAbsent(Databases.named(url), database -> some(url));
        try {
            LentServer lent = idle.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return lent == null ? new LentServer(url, idle) : lent;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while other tests had the servers", stop);
        }
    }

    private static BlockingQueue<LentServer> some(String url) {
        BlockingQueue<LentServer> idle = new LinkedBlockingQueue<>();
        for (int i = 0; i < OF_EACH_KIND; i++) {
            idle.add(new LentServer(url, idle));
        }
        return idle;
    }

    /** Started by the first test that has it. */
    private synchronized DatabaseServer server() {
        DatabaseServer started = server;
        if (started == null) {
            // What was written is the kernel's by then, and outlives a process that is killed.
            started = like.contains("postgresql")
                    ? PostgreSqlServer.start("fsync=off")
                    : MariaDbServer.start("innodb-flush-log-at-trx-commit=2");
            Databases.createTable(started.url());
            server = started;
        }
        return started;
    }

    @Override
    public String host() {
        return server().host();
    }

    @Override
    public int port() {
        return server().port();
    }

    @Override
    public void pause() {
        server().pause();
    }

    @Override
    public void resume() {
        server().resume();
    }

    @Override
    public void kill() {
        server().kill();
    }

    @Override
    public void restart() {
        server().restart();
    }

    @Override
    public void refuseChanges(String kind) {
        Refusal.of(server().url(), kind).begin();
    }

    @Override
    public void takeChanges(String kind) {
        Refusal.of(server().url(), kind).end();
    }

    /** Gives it back. */
    @Override
    public void close() {
        idle.add(this);
    }
}
