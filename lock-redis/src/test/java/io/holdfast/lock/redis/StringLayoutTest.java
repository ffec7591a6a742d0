package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StringLayoutTest extends RedisServerScene {

    private RedisLockProvider provider;

    @BeforeEach
    void open() {
        provider = RedisProviders.on(server, "layout=string&prefix=");
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void heldLockExcludesSetNx() {
        TestClaim claim = TestClaim.once(provider, "job");
        claim.granted();

        assertThat(server.command("SET", "job", "textbook", "NX", "PX", "10000"))
                .isEqualTo(Optional.empty());
        claim.released();
        assertThat(server.command("SET", "job", "textbook", "NX", "PX", "10000"))
                .isEqualTo("OK");
    }

    @Test
    void setNxExcludesAClaimAndIsShownAsTheHolder() {
        server.command("SET", "job", "textbook user 7", "NX", "PX", "10000");
        TestClaim claim = TestClaim.once(provider, "job");

        assertThat(claim.granted()).isFalse();
        assertThat(claim.held()).isFalse();
        assertThat(claim.released()).isFalse();
        assertThat(provider.holder("job").orElseThrow().owner()).isEqualTo("textbook user 7");
        assertThat(provider.holder("job").orElseThrow().fencingToken()).isEmpty();
        server.command("DEL", "job");
        assertThat(claim.granted()).isTrue();
    }

    @Test
    void lockOfAForeignHolderIsPolled() {
        server.command("SET", "job", "textbook", "NX", "PX", "10000");
        assertThat(TestClaim.once(provider, "job").refused().retryAfter()).hasValue(Duration.ofMillis(500));

        server.command("SET", "job", "for ever");
        assertThat(TestClaim.once(provider, "job").refused().retryAfter()).hasValue(Duration.ofMillis(500));
    }

    @Test
    void valueBelongsToAClaimOnlyByItsWholeId() {
        TestClaim claim = TestClaim.once(provider, "job");
        claim.granted();
        String value = (String) server.command("GET", "job");
        assertThat(value).startsWith(claim.id + " ");

        server.command("SET", "job", claim.id + "-longer" + value.substring(claim.id.length()));
        assertThat(claim.held()).isFalse();
        assertThat(claim.released()).isFalse();
        assertThat(claim.granted()).isFalse();
    }

    @Test
    void anotherClaimOfTheSameOwnerIsContention() {
        assertThat(provider.capabilities().reentrancy()).isEqualTo(Reentrancy.CLIENT);
        TestClaim.owned(provider, "job", "workflow-17", TestClaim.LEASE).granted();

        assertThat(TestClaim.owned(provider, "job", "workflow-17", TestClaim.LEASE)
                        .granted())
                .isFalse();
    }
}
