package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.parts.Proves;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Raising the tokens of a store through a client. */
class TokenFloorTest {

    private static final long AHEAD = 1_000;

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client(world.newProvider());

    @Test
    @Proves("6.7")
    void grantsOfAllNamesAreAboveTheRaisedTokens() {
        LockHandle first = EngineWorld.take(client.lock("a"));
        FencingToken floor = new FencingToken(first.fencingToken().value() + AHEAD);
        assertThat(client.highestToken()).contains(first.fencingToken());

        client.raiseTokens(floor);

        LockHandle next = EngineWorld.take(client.lock("b"));
        assertThat(next.fencingToken().isNewerThan(floor)).isTrue();
        client.raiseTokens(first.fencingToken());
        assertThat(client.highestToken()).contains(next.fencingToken());
    }

    @Test
    void providersThatCannotRefuse() {
        LockClient other = world.client();
        assertThatThrownBy(other::highestToken).isInstanceOf(UnsupportedCapabilityException.class);
        assertThatThrownBy(() -> other.raiseTokens(new FencingToken(AHEAD)))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("1000");
    }

    @Test
    void closedClientsRefuse() {
        client.close();
        assertThatThrownBy(client::highestToken).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> client.raiseTokens(new FencingToken(AHEAD)))
                .isInstanceOf(LockClientClosedException.class)
                .isNotInstanceOf(LockStoreException.class);
    }
}
