package io.holdfast.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.MessageListener;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.LongCodec;

/** Listens to the channel of one lock, through Redisson. */
final class ChannelListener implements TopicFeed.Channel {

    private final String lockName;
    private final RTopic topic;
    private volatile int statusId;
    private volatile int messageId;
    private volatile boolean started;

    private ChannelListener(String lockName, RTopic topic) {
        this.lockName = lockName;
        this.topic = topic;
    }

    /** Makes a listener. What Redisson's locks publish in a cluster goes to sharded channels, unless these are switched off. */
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

    /** Subscribes, and tells of it when the server has confirmed it. */
    @Override
    public void start(TopicFeed feed) {
        MessageListener<Long> messages = (channel, message) -> feed.message(this);
        // The status first: an end of the subscription between the two must not go unseen.
        CompletionStage<Integer> subscribed = topic.addListenerAsync(status(feed))
                .thenCompose(id -> {
                    statusId = id;
                    return topic.addListenerAsync(Long.class, messages);
                });
        subscribed.whenComplete((id, failure) -> {
            if (failure == null) {
                messageId = id;
                started = true;
                feed.confirmed(this);
            } else {
                feed.failed(this, failure);
            }
        });
    }

    private StatusListener status(TopicFeed feed) {
        return new StatusListener() {
            @Override
            public void onSubscribe(String channel) {
                // The first time the messages may not be listened to yet; later it means that there was a gap.
                if (started) {
                    feed.confirmed(ChannelListener.this);
                }
            }

            @Override
            public void onUnsubscribe(String channel) {
                feed.ended(ChannelListener.this);
            }
        };
    }

    /** Unsubscribes, or has the confirmation do so. What Redisson itself has subscribed to this channel stays. */
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
