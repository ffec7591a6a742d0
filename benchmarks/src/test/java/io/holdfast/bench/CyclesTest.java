package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.Contender.Side;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CyclesTest {

    private static final long MILLIS = 100;

    private final NoStore store = new NoStore();

    @Test
    void countsTheCyclesOfALock() throws Exception {
        Contender jdk = new Contender("JDK", Side.LIMIT, unusedAddress -> new JdkLocks());

        assertThat(new Cycles(2, 1).turn(jdk, store, MILLIS).of(Measure.CYCLES)).isPositive();
    }

    @Test
    void failsIfALockIsGrantedToTwoAtOnce() {
        Contender noLock = new Contender("no lock", Side.PEER, unusedAddress -> new NoLocks());

        assertThatThrownBy(() -> new Cycles(2, 1).turn(noLock, store, MILLIS)).hasMessageContaining("two holders");
    }

    /** Everybody may enter, at any time. */
    private static final class NoLocks implements Locks {
        @Override
        public Section section(String lock) {
            return new Section() {
                @Override
                public OptionalLong enter() {
                    return OptionalLong.empty();
                }

                @Override
                public void leave() {}
            };
        }

        @Override
        public void close() {}
    }
}
