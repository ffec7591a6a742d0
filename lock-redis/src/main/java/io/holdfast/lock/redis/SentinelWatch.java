package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/**
 * Jedis' connections to the master that sentinels name: a thread for each sentinel waits for another name. Here it ends with the
 * close: Jedis alone would leave a thread that is just connecting, or that sleeps before it connects again.
 */
final class SentinelWatch extends SentineledConnectionProvider {

    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofMillis(10);

    /** Asks the sentinels, in their order, until one names the master. */
    SentinelWatch(
            String name,
            JedisClientConfig master,
            GenericObjectPoolConfig<Connection> pool,
            Set<HostAndPort> sentinels,
            JedisClientConfig sentinel) {
        super(name, master, pool, sentinels, sentinel);
    }

    @Override
    public void close() {
        // Before the pool: a listener could replace it by an open one.
        endListeners();
        super.close();
    }

    /** Waits through interrupts: nothing else would end a listener. */
    private void endListeners() {
        PassedTime waited = new PassedTime();
        sentinelListeners.forEach(SentinelListener::shutdown);
        try (KeptInterrupt interrupt = new KeptInterrupt()) {
            for (SentinelListener listener : sentinelListeners) {
                while (listener.isAlive() && waited.isLessThan(CLOSED_WITHIN)) {
                    // Again, as it may have connected meanwhile; the interrupt ends its sleep.
                    listener.shutdown();
                    listener.interrupt();
                    try {
                        TimeUnit.NANOSECONDS.timedJoin(listener, AGAIN.toNanos());
                    } catch (InterruptedException later) {
                        interrupt.keep();
                    }
                }
            }
        }
    }
}
