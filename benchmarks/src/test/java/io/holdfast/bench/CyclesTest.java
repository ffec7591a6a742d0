package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.Contender.Side;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class CyclesTest {

    private static final long MILLIS = 500;

    private final NoStore store = new NoStore();

    @Test
    void countsTheCyclesOfALock() throws Exception {
        Contender jdk = new Contender("JDK", Side.LIMIT, unusedAddress -> new JdkLocks());

        assertThat(new Cycles(2, 1).turn(jdk, store, MILLIS).of(Measure.CYCLES)).isPositive();
    }

    @Test
    void failsIfALockIsGrantedToTwoAtOnce() {
        Contender noLock = new Contender("no lock", Side.PEER, unusedAddress -> new RoomForTwo());

        assertThatThrownBy(() -> new Cycles(4, 1).turn(noLock, store, MILLIS)).hasMessageContaining("two holders");
    }

    /** A thread that fails keeps its place, so that the others wait for it without end. */
    private static final class RoomForTwo implements Locks {
        private final Semaphore places = new Semaphore(2);

        @Override
        public Section section(String lock) {
            return new Section() {
                @Override
                public OptionalLong enter() throws InterruptedException {
                    places.acquire();
                    return OptionalLong.empty();
                }

                @Override
                public void leave() {
                    places.release();
                }
            };
        }

        @Override
        public void close() {}
    }
}
