package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the kit uses the feed of a provider: as the engine does. */
class KitFeedTest {

    /** The calls that a feed gets. It reports nothing by itself. */
    private static final class Calls implements ReleaseFeed {
        private final List<String> calls = new ArrayList<>();

        @Override
        public void subscribe(String name) {
            calls.add("subscribe " + name);
        }

        @Override
        public void unsubscribe(String name) {
            calls.add("unsubscribe " + name);
        }
    }

    private final Calls source = new Calls();
    private final Feed feed = new Feed(withFeed(source));

    private static LockProvider withFeed(ReleaseFeed source) {
        return (LockProvider) Proxy.newProxyInstance(
                LockProvider.class.getClassLoader(),
                new Class<?>[] {LockProvider.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("releases");
                    return Optional.of(source);
                });
    }

    @Test
    void whileItDoesNotListenEachRefusalSubscribesAgain() {
        feed.refused("a");
        feed.interrupted("a");
        feed.refused("a");
        assertThat(source.calls).containsExactly("subscribe a", "subscribe a");

        feed.listening("a");
        feed.refused("a");
        assertThat(source.calls).hasSize(2);

        feed.interrupted("a");
        feed.refused("a");
        assertThat(source.calls).hasSize(3);
    }

    @Test
    void theLastClaimOfANameUnsubscribes() {
        Runnable one = () -> {};
        Runnable other = () -> {};
        feed.asks("a", one);
        feed.asks("a", other);
        feed.refused("a");
        feed.ends("a", one);
        assertThat(source.calls).containsExactly("subscribe a");

        feed.ends("a", other);
        assertThat(source.calls).containsExactly("subscribe a", "unsubscribe a");
    }
}
