package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.parts.Bidder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StringLayoutTest extends ServerScene {

    private RedisLockProvider provider;

    @BeforeEach
    void open() {
        provider = Providers.on(server, "layout=string&prefix=");
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void aHeldLockExcludesATextbookUser() {
        Bidder bidder = Bidder.once(provider, "job");
        bidder.granted();

        assertThat(server.command("SET", "job", "textbook", "NX", "PX", "10000"))
                .isEqualTo(Optional.empty());
        bidder.released();
        assertThat(server.command("SET", "job", "textbook", "NX", "PX", "10000"))
                .isEqualTo("OK");
    }

    @Test
    void aTextbookUserExcludesAClaimAndIsShownAsTheHolder() {
        server.command("SET", "job", "textbook user 7", "NX", "PX", "10000");
        Bidder bidder = Bidder.once(provider, "job");

        assertThat(bidder.granted()).isFalse();
        assertThat(bidder.held()).isFalse();
        assertThat(bidder.released()).isFalse();
        assertThat(provider.holder("job").orElseThrow().owner()).isEqualTo("textbook user 7");
        assertThat(provider.holder("job").orElseThrow().fencingToken()).isEmpty();
        server.command("DEL", "job");
        assertThat(bidder.granted()).isTrue();
    }

    @Test
    void asksSoonAgainForALockWhoseHolderWillNotAnnounceItsRelease() {
        server.command("SET", "job", "textbook", "NX", "PX", "10000");
        assertThat(Bidder.once(provider, "job").refused().retryAfter()).hasValue(Duration.ofMillis(500));

        server.command("SET", "job", "for ever");
        assertThat(Bidder.once(provider, "job").refused().retryAfter()).hasValue(Duration.ofMillis(500));
    }

    @Test
    void theValueBeginsWithTheClaimsIdAndOnlyTheWholeIdCounts() {
        Bidder bidder = Bidder.once(provider, "job");
        bidder.granted();
        String value = (String) server.command("GET", "job");
        assertThat(value).startsWith(bidder.id + " ");

        server.command("SET", "job", bidder.id + "-longer" + value.substring(bidder.id.length()));
        assertThat(bidder.held()).isFalse();
        assertThat(bidder.released()).isFalse();
        assertThat(bidder.granted()).isFalse();
    }

    @Test
    void anotherClaimOfTheSameOwnerIsContention() {
        assertThat(provider.capabilities().reentrancy()).isEqualTo(Reentrancy.CLIENT);
        Bidder.owned(provider, "job", "workflow-17", Bidder.LEASE).granted();

        assertThat(Bidder.owned(provider, "job", "workflow-17", Bidder.LEASE).granted())
                .isFalse();
    }
}
