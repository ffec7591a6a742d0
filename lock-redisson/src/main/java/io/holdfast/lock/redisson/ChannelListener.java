package io.holdfast.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.MessageListener;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.LongCodec;

/** Listens to the channel of one lock, through Redisson. */
final class ChannelListener implements WakeUps.Channel {

    private final String name;
    private final RTopic topic;
    private volatile int statusId;
    private volatile int messageId;
    private volatile boolean started;

    private ChannelListener(String name, RTopic topic) {
        this.name = name;
        this.topic = topic;
    }

    /** Makes a listener. What Redisson's locks publish in a cluster goes to sharded channels, unless these are switched off. */
    static ChannelListener to(String name, RedissonClient redisson) {
        return new ChannelListener(
                name,
                RedissonVersion.publishesToShards(redisson.getConfig())
                        ? redisson.getShardedTopic(name, LongCodec.INSTANCE)
                        : redisson.getTopic(name, LongCodec.INSTANCE));
    }

    @Override
    public String topic() {
        return name;
    }

    /** Subscribes, and tells of it when the server has confirmed it. */
    @Override
    public void start(WakeUps wakeUps) {
        MessageListener<Long> messages = (channel, message) -> wakeUps.message(this);
        // The status first: an end of the subscription between the two must not go unseen.
        CompletionStage<Integer> subscribed = topic.addListenerAsync(status(wakeUps))
                .thenCompose(id -> {
                    statusId = id;
                    return topic.addListenerAsync(Long.class, messages);
                });
        subscribed.whenComplete((id, failure) -> {
            if (failure == null) {
                messageId = id;
                started = true;
                wakeUps.confirmed(this);
            } else {
                wakeUps.failed(this, failure);
            }
        });
    }

    private StatusListener status(WakeUps wakeUps) {
        return new StatusListener() {
            @Override
            public void onSubscribe(String channel) {
                // The first time the messages may not be listened to yet; later it means that there was a gap.
                if (started) {
                    wakeUps.confirmed(ChannelListener.this);
                }
            }

            @Override
            public void onUnsubscribe(String channel) {
                wakeUps.ended(ChannelListener.this);
            }
        };
    }

    /** Unsubscribes. What Redisson itself has subscribed to this channel stays. */
    @Override
    public CompletionStage<Void> stop() {
        try {
            return topic.removeListenerAsync(statusId, messageId);
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
