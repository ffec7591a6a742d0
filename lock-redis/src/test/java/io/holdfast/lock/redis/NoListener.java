package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;

/** Ignores all messages: for tests that only look at the server. */
final class NoListener implements ReleaseFeed.Listener {

    @Override
    public void listening(String name) {}

    @Override
    public void released(String name) {}

    @Override
    public void interrupted(String name) {}
}
