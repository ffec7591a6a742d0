package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The provider that looks dead. */
class MortalProviderTest {

    /** A default of the interface would answer in the place of the provider behind it. */
    @Test
    void noCallIsLeftToADefaultOfTheInterface() {
        assertThat(leftToDefaults(LockProvider.class, MortalProvider.class)).isEmpty();
    }

    @Test
    void noCallOfAClaimIsLeftToADefaultOfTheInterface() {
        assertThat(MortalProvider.class.getDeclaredClasses())
                .filteredOn(Claim.class::isAssignableFrom)
                .singleElement()
                .satisfies(
                        claim -> assertThat(leftToDefaults(Claim.class, claim)).isEmpty());
    }

    private static Stream<Method> leftToDefaults(Class<?> declared, Class<?> type) {
        return Stream.of(declared.getMethods()).filter(method -> !isDeclaredBy(type, method));
    }

    private static boolean isDeclaredBy(Class<?> type, Method method) {
        try {
            return type.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass() == type;
        } catch (NoSuchMethodException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
