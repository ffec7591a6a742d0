package io.holdfast.lock.redisson;

import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The Redisson client of a URI. Its threads are daemons: Redisson's default threads would keep an application alive that does not
 * close its lock client, and Spring Boot closes its beans only when the JVM ends.
 */
final class OwnClient {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private static final int THREADS = 2;

    /** How long Redisson's threads may take to end. */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);

    private OwnClient() {}

    static RedissonClient create(Config config) {
        config.setNettyThreads(THREADS);
        config.setNettyExecutor(new ThreadPerTaskExecutor(daemons("redisson-netty")));
        config.setExecutor(Executors.newFixedThreadPool(THREADS, daemons("redisson")));
        RedissonClient client = Redisson.create(config);
        try {
            makeDaemon(((Redisson) client).getServiceManager().getTimer());
        } catch (LinkageError anotherRedisson) {
            // The timer is internal to Redisson. Its thread stays as it is.
            LOG.log(Level.DEBUG, "The thread of Redisson's timer is no daemon", anotherRedisson);
        }
        return client;
    }

    /** Under the names that Redisson gives its threads. */
    private static DefaultThreadFactory daemons(String name) {
        return new DefaultThreadFactory(name, true);
    }

    /**
     * Makes the timer's thread a daemon; there is no setting for it. The first call starts the thread, so it can still be changed
     * here. On the module path Netty 4.2 does not allow this reflection, and the thread stays as it is.
     */
    private static void makeDaemon(HashedWheelTimer timer) {
        for (Field field : HashedWheelTimer.class.getDeclaredFields()) {
            if (field.getType() == Thread.class && field.trySetAccessible()) {
                try {
                    Thread thread = (Thread) field.get(timer);
                    if (!thread.isAlive()) {
                        thread.setDaemon(true);
                    }
                } catch (IllegalAccessException impossible) {
                    throw new IllegalStateException("trySetAccessible() allowed it", impossible);
                }
            }
        }
    }

    /** Ends all its threads; Redisson does not shut down an executor that it was given. */
    static void shutdown(RedissonClient client) {
        try {
            client.shutdown(0, CLOSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            client.getConfig().getExecutor().shutdown();
        }
    }
}
