package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;

/** Hears of nothing: for tests that look at the server alone. */
final class NoListener implements ReleaseFeed.Listener {

    @Override
    public void listening(String name) {}

    @Override
    public void released(String name) {}

    @Override
    public void interrupted(String name) {}
}
