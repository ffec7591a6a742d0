package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.FAULT_BOUND;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.TestClaim;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A server or network that takes no more requests on the connection that reads releases must block nobody. */
@Isolated("it looks at all threads of the JVM")
class StalledSubscriptionTest extends WakeUpScene {

    /** Enough to fill the buffers of sockets and proxy several times. */
    private static final int LOCKS = 250;

    /** How many idle names the engine keeps subscribed. */
    private static final int MOST_IDLE = 64;

    /** How many bytes may be unanswered, at most. */
    private static final long MOST_UNANSWERED = 10 * 1024;

    private static final String LONG = "鎖".repeat(1_000);
    private static final int SMALL_BUFFER = 4 * 1024;

    private final AtomicLong written = new AtomicLong();
    private TcpProxy proxy;
    private SubscriptionGate gate;
    private RedisLockProvider gated;

    @BeforeEach
    void openGated() {
        proxy = TcpProxy.to(server.host(), server.port());
        gate = new SubscriptionGate(provider.runner());
        gated = behind(gate);
    }

    @AfterEach
    void closeGated() {
        gated.close();
        proxy.close();
    }

    /** A connection through the proxy that counts what is written. */
    private Connection counted() {
        return new Connection(this::narrow) {
            @Override
            public void sendCommand(ProtocolCommand command, byte[]... words) {
                for (byte[] word : words) {
                    written.addAndGet(word.length);
                }
                super.sendCommand(command, words);
            }
        };
    }

    private Socket narrow() {
        Socket socket = new Socket();
        try {
            socket.setSendBufferSize(SMALL_BUFFER);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
            return socket;
        } catch (IOException failure) {
            throw new JedisConnectionException(failure);
        }
    }

    private List<TestClaim> refused(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    holder(provider, LONG + i);
                    TestClaim refused = TestClaim.waiting(gated, LONG + i);
                    assertThat(refused.granted()).isFalse();
                    return refused;
                })
                .toList();
    }

    private void awaitChannels(int count) {
        soon().until(() -> ((List<?>) server.command("PUBSUB", "CHANNELS")).size() == count);
    }

    private static <T> T onItsOwnThread(Supplier<T> work) throws Exception {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start())
                .get(FAULT_BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void stalledConnectionBlocksNobodyAndEndedWaitersAreUnsubscribedLater() throws Exception {
        gate.open(this::counted);
        TestClaim holder = holder(provider, "other");
        try (LockClient client = LockClient.builder(gated).build()) {
            List<CompletableFuture<LockHandle>> ending = IntStream.range(0, LOCKS)
                    .mapToObj(i -> {
                        holder(provider, LONG + i);
                        return client.lock(LONG + i).acquireAsync();
                    })
                    .toList();
            awaitChannels(LOCKS);
            proxy.hold(Direction.REQUESTS);
            long before = written.get();

            assertThat(onItsOwnThread(() ->
                            ending.stream().filter(each -> each.cancel(false)).count()))
                    .isEqualTo(LOCKS);
            CompletableFuture<LockHandle> waiter = client.lock("other").acquireAsync();
            soon().until(() -> written.get() > before);
            assertThat(written.get() - before).isLessThan(MOST_UNANSWERED);

            proxy.pass(Direction.REQUESTS);
            awaitChannels(MOST_IDLE + 1);
            holder.released();
            waiter.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS).release();
        }
    }

    @Test
    void newConnectionSubscribesToManyChannelsInParts() {
        List<TestClaim> waiting = refused(LOCKS);
        proxy.hold(Direction.REQUESTS);

        gate.open(this::counted);

        soon().until(() -> messageThreadIsIn("getUnflushedObject"));
        assertThat(written.get()).isBetween(1L, MOST_UNANSWERED);
        proxy.pass(Direction.REQUESTS);
        awaitChannels(LOCKS);
        waiting.forEach(waiter -> awaitSignals(waiter, 1));
    }
}
