package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Netty's buffers that Redisson does not release. */
class BuffersTest extends RedisServerScene {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int OUTAGES = 5;

    /** Redisson copies the arguments of a call, in case the server does not know the script. */
    @Test
    void scriptArgumentsAndTheirCopiesAreGarbageCollected() throws Exception {
        ByteBuf argument = ScriptExecutor.CODEC.getValueEncoder().encode(new byte[] {1, 2, 3});

        for (ByteBuf buffer : new ByteBuf[] {argument, argument.copy()}) {
            assertThat(buffer.alloc()).isSameAs(UnpooledByteBufAllocator.DEFAULT);
            assertThat(buffer.isDirect()).isFalse();
        }
    }

    @Test
    void repeatedServerKillsLeakNoBuffers() {
        String uri = "redisson://" + server.host() + ":" + server.port() + "?timeout=200ms&connectTimeout=200ms";
        List<String> tracking = List.of("-Dio.netty.leakDetection.level=paranoid");
        try (ChildJvm child = ChildJvm.start(tracking, Application.class, uri)) {
            for (int outage = 0; outage < OUTAGES; outage++) {
                child.awaitLine(Application.ALL_WELL, BOUND);
                server.kill();
                // More than one round, in which the renewals find no connection.
                child.awaitLine(Application.OUTAGE, BOUND);
                child.awaitLine(Application.OUTAGE, BOUND);
                server.restart();
            }
            child.awaitLine(Application.ALL_WELL, BOUND);
            child.send("end");

            assertThat(child.awaitLine(Application.LEAKED, BOUND)).isEqualTo(Application.LEAKED + 0);
        }
    }

    /** Acquires, renews and releases until it reads a line, and prints for each round whether the store answered. */
    static final class Application {
        static final String ALL_WELL = "all is well";
        static final String OUTAGE = "the store does not answer";
        static final String LEAKED = "leaked buffers: ";

        private Application() {}

        public static void main(String[] arguments) throws IOException {
            LeakedBuffers leaked = LeakedBuffers.listen();
            try (RedissonLockProvider provider = RedissonProviders.at(arguments[0])) {
                while (System.in.available() == 0) {
                    System.out.println(round(provider) ? ALL_WELL : OUTAGE);
                }
            }
            System.out.println(LEAKED + leaked.count());
        }

        private static boolean round(RedissonLockProvider provider) {
            TestClaim holder = TestClaim.once(provider, "a");
            TestClaim stranger = TestClaim.once(provider, "b");
            boolean acquired = isAnswered(holder::granted);
            boolean renewed = isAnswered(() ->
                    provider.renewAll(List.of(holder.claim, stranger.claim)).forEach(Application::throwFailure));
            boolean released = isAnswered(holder::released);
            return acquired && renewed && released;
        }

        private static void throwFailure(Renewal renewal) {
            if (renewal instanceof Renewal.Unknown unknown) {
                throw unknown.failure();
            }
        }

        private static boolean isAnswered(Runnable call) {
            try {
                call.run();
                return true;
            } catch (LockStoreException outage) {
                return false;
            }
        }
    }
}
