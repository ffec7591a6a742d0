package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;
import org.redisson.misc.CompletableFutureWrapper;

/** What Redisson tells of a subscription, in orders that a test cannot force on a real server. */
class ChannelListenerTest implements ReleaseFeed.Listener {

    private final List<StatusListener> statuses = new ArrayList<>();
    private final List<CompletableFuture<Integer>> subscriptions = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final RTopic topic = answering(RTopic.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "addListenerAsync" -> {
            if (arguments[0] instanceof StatusListener status) {
                statuses.add(status);
            }
            subscriptions.add(new CompletableFuture<>());
            yield new CompletableFutureWrapper<>(subscriptions.get(subscriptions.size() - 1));
        }
        case "removeListenerAsync" -> new CompletableFutureWrapper<>((Void) null);
        default -> throw new UnsupportedOperationException(method.getName());
    });
    private final RedissonClient redisson = answering(
            RedissonClient.class,
            (proxy, method, arguments) -> method.getName().equals("getConfig") ? config() : topic);
    private final TopicFeed feed =
            new TopicFeed(name -> Optional.of(ChannelListener.to("topic", name, redisson)), this);

    private static Config config() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:1");
        return config;
    }

    private static <T> T answering(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public void listening(String name) {
        heard.add("listening");
    }

    @Override
    public void released(String name) {
        heard.add("released");
    }

    @Override
    public void interrupted(String name) {
        heard.add("interrupted");
    }

    /**
     * Redisson 3.52 to 4.x: its thread offers the broken connection until it has told of all its ends, so each new subscription
     * fails at once.
     */
    @Test
    void subscriptionThatFailsIsNotRepeatedByTheThreadThatTellsOfItsEnd() {
        feed.subscribe("a");

        statuses.get(0).onUnsubscribe("topic");
        assertThat(subscriptions).hasSize(1);
        subscriptions.get(0).completeExceptionally(new RedisConnectionException("the connection broke"));

        assertThat(subscriptions).hasSize(1);
        assertThat(heard).containsExactly("interrupted");
        feed.subscribe("a");
        assertThat(subscriptions).hasSize(2);
    }

    @Test
    void subscriptionThatEndsIsReplaced() {
        feed.subscribe("a");
        subscriptions.get(0).complete(1);
        subscriptions.get(1).complete(2);

        statuses.get(0).onUnsubscribe("topic");

        assertThat(statuses).hasSize(2);
        assertThat(heard).containsExactly("listening");
    }

    /** Between its two listeners: the first one is forgotten then, and would not hear of a later end. */
    @Test
    void subscriptionThatEndsWhileItStartsIsReplacedOnceItHasStarted() {
        feed.subscribe("a");
        subscriptions.get(0).complete(1);
        statuses.get(0).onUnsubscribe("topic");
        assertThat(statuses).hasSize(1);

        subscriptions.get(1).complete(2);

        assertThat(statuses).hasSize(2);
        assertThat(heard).isEmpty();
    }
}
