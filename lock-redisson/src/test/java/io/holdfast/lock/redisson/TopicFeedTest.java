package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ReleaseFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Orders of events that a test cannot force on a real server. */
class TopicFeedTest implements ReleaseFeed.Listener {

    private final List<TestChannel> opened = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final TopicFeed feed = new TopicFeed(this::open, this);
    private Runnable whileStarting = () -> {};

    private Optional<TopicFeed.Channel> open(String name) {
        assertThat(Thread.holdsLock(feed)).isFalse();
        TestChannel channel = new TestChannel(name);
        opened.add(channel);
        return Optional.of(channel);
    }

    /** A channel whose events the test sends. */
    private final class TestChannel implements TopicFeed.Channel {
        private final String name;
        private int started;
        private int stopped;

        TestChannel(String name) {
            this.name = name;
        }

        @Override
        public String lockName() {
            return name;
        }

        @Override
        public void start(TopicFeed into) {
            started++;
            whileStarting.run();
        }

        @Override
        public CompletionStage<Void> stop() {
            stopped++;
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void listening(String name) {
        heard.add("listening " + name);
    }

    @Override
    public void released(String name) {
        heard.add("released " + name);
    }

    @Override
    public void interrupted(String name) {
        heard.add("interrupted " + name);
    }

    @Test
    void subscribedNameHasOneChannel() {
        feed.subscribe("a");
        feed.subscribe("a");
        feed.confirmed(opened.get(0));
        feed.message(opened.get(0));
        assertThat(heard).containsExactly("listening a", "released a");
        assertThat(opened).extracting(channel -> channel.started).containsOnlyOnce(1);

        feed.unsubscribe("a");
        assertThat(opened.get(0).stopped).isEqualTo(1);
        feed.message(opened.get(0));
        assertThat(heard).hasSize(2);
    }

    @Test
    void channelEndedByRedissonIsReplaced() {
        feed.subscribe("a");
        feed.confirmed(opened.get(0));
        feed.ended(opened.get(0));
        feed.confirmed(opened.get(1));

        assertThat(heard).containsExactly("listening a", "listening a");
    }

    @Test
    void channelConfirmedAfterUnsubscribeIsStopped() {
        feed.subscribe("a");
        feed.unsubscribe("a");
        feed.confirmed(opened.get(0));

        assertThat(heard).isEmpty();
        assertThat(opened.get(0).stopped).isEqualTo(2);
    }

    @Test
    void channelConfirmedAfterCloseIsStopped() {
        feed.subscribe("a");
        feed.close().join();
        feed.confirmed(opened.get(0));

        assertThat(heard).isEmpty();
        assertThat(opened.get(0).stopped).isEqualTo(2);
        feed.subscribe("b");
        assertThat(opened.get(1).started).isZero();
    }

    /** What the client may throw instead of reporting a failure. */
    enum Surprise {
        RUNTIME_EXCEPTION {
            @Override
            void fail() {
                throw new IllegalStateException("thrown by the test");
            }
        },
        ERROR {
            @Override
            void fail() {
                throw new NoClassDefFoundError("thrown by the test");
            }
        };

        abstract void fail();
    }

    @ParameterizedTest
    @EnumSource
    void failedChannelIsReportedAndOpenedAgainByTheNextSubscribe(Surprise surprise) {
        whileStarting = surprise::fail;
        feed.subscribe("a");
        assertThat(heard).containsExactly("interrupted a");
        assertThat(opened.get(0).stopped).isEqualTo(1);

        whileStarting = () -> {};
        feed.subscribe("a");
        feed.confirmed(opened.get(1));
        assertThat(heard).containsExactly("interrupted a", "listening a");
    }
}
