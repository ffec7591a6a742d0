package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Idle connections are cut, by a firewall, say, just before the application is closed. The server is in perfect health. */
class CutConnectionsTest extends ClientScene {

    @Test
    @Proves("5.5")
    void closingTheClientFreesItsLocksAllTheSame() throws InterruptedException {
        LockClient client = connect("");
        List<LockHandle> held = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            held.add(client.lock(name).acquire());
        }
        proxy.reset();

        long before = System.nanoTime();
        client.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(held).noneMatch(LockHandle::isHeld);
        try (LockClient other = connect("")) {
            for (LockHandle lock : held) {
                assertThat(other.holder(lock.name())).isEmpty();
            }
        }
    }
}
