package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimedProviderTest {

    private static final Duration SLOW = Duration.ofMillis(20);

    /** The provider and a claim that has been granted. */
    private record Scene(LockProvider provider, Claim claim) {}

    static Stream<Arguments> calls() {
        return Stream.of(
                call("attempt", scene -> scene.claim().attempt()),
                call("renew", scene -> scene.claim().renew()),
                call("release", scene -> scene.claim().release()),
                call("renewAll", scene -> scene.provider().renewAll(List.of(scene.claim()))),
                call("holder", scene -> scene.provider().holder("stock")),
                call("highestToken", scene -> scene.provider().highestToken()));
    }

    private static Arguments call(String name, Consumer<Scene> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void theTimeOfASlowCallIsNoted(String slow, Consumer<Scene> call) {
        OpenClaims times = new OpenClaims(Duration.ofMinutes(1));
        try (LockProvider memory = new MemoryHarness().open()) {
            LockProvider provider = new TimedProvider(slowed(LockProvider.class, memory, slow), times);
            Claim claim = provider.newClaim(request(), (ClaimSignals) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ClaimSignals.class},
                    (proxy, method, arguments) -> null));
            if (!slow.equals("attempt")) {
                assertThat(claim.attempt()).isNotNull();
            }

            call.accept(new Scene(provider, claim));

            assertThat(times.slowest()).isGreaterThanOrEqualTo(SLOW);
        }
    }

    private static ClaimRequest request() {
        return new ClaimRequest(
                "stock",
                UUID.randomUUID().toString(),
                "owner",
                Duration.ofMinutes(1),
                ClaimRequest.Intent.TRY_ONCE,
                ClaimSpec.CLAIMANT);
    }

    /** A provider, or a claim of it, one of whose calls takes long. */
    private static <T> T slowed(Class<T> type, T fast, String call) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals(call)) {
                Pace.pass(SLOW);
            }
            Object answer = method.invoke(fast, arguments);
            return answer instanceof Claim claim ? slowed(Claim.class, claim, call) : answer;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
