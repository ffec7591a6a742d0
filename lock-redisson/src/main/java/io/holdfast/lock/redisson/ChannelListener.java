package io.holdfast.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.MessageListener;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.LongCodec;

/** Subscribes to the channel of one lock through Redisson. */
final class ChannelListener implements TopicFeed.Channel {

    private final String lockName;
    private final RTopic topic;
    private volatile int statusId;
    private volatile int messageId;
    private volatile boolean started;
    private volatile boolean ended;

    private ChannelListener(String lockName, RTopic topic) {
        this.lockName = lockName;
        this.topic = topic;
    }

    /** Makes a listener. In a cluster Redisson's locks publish to sharded channels, unless these are switched off. */
    static ChannelListener to(String topic, String lockName, RedissonClient redisson) {
        return new ChannelListener(
                lockName,
                RedissonVersion.publishesToShards(redisson.getConfig())
                        ? redisson.getShardedTopic(topic, LongCodec.INSTANCE)
                        : redisson.getTopic(topic, LongCodec.INSTANCE));
    }

    @Override
    public String lockName() {
        return lockName;
    }

    /** Subscribes, and reports the server's confirmation. */
    @Override
    public void start(TopicFeed feed) {
        MessageListener<Long> messages = (channel, message) -> feed.message(this);
        // The status first, to see the end of the subscription in any case.
        CompletionStage<Integer> subscribed = topic.addListenerAsync(status(feed))
                .thenCompose(id -> {
                    statusId = id;
                    return topic.addListenerAsync(Long.class, messages);
                });
        subscribed.whenComplete((id, failure) -> {
            if (failure == null) {
                messageId = id;
                started = true;
                if (ended) {
                    // In between, and Redisson has forgotten the status listener.
                    feed.ended(this);
                } else {
                    feed.confirmed(this);
                }
            } else {
                feed.failed(this, failure);
            }
        });
    }

    private StatusListener status(TopicFeed feed) {
        return new StatusListener() {
            @Override
            public void onSubscribe(String channel) {
                // The first call may come before the message listener was added; a later one
                // means that there was a gap.
                if (started) {
                    feed.confirmed(ChannelListener.this);
                }
            }

            @Override
            public void onUnsubscribe(String channel) {
                ended = true;
                // Redisson also says this of an attempt to subscribe that fails, and the attempt then fails itself. To
                // subscribe again here would never end: Redisson offers the broken connection until this call returns.
                if (started) {
                    feed.ended(ChannelListener.this);
                }
            }
        };
    }

    /** Unsubscribes; if not started yet, the confirmation calls this again. Redisson's own listeners of the channel stay. */
    @Override
    public CompletionStage<Void> stop() {
        if (statusId == 0 && messageId == 0) {
            return CompletableFuture.completedStage(null);
        }
        try {
            return topic.removeListenerAsync(statusId, messageId);
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
