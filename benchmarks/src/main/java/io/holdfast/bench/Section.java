package io.holdfast.bench;

import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;

/** One lock, as one thread uses it. */
interface Section {

    /** Waits for the lock. Returns its fencing token, if there is one. */
    OptionalLong enter() throws Exception;

    void leave() throws Exception;

    /** A lock that has the JDK's interface, and no tokens. */
    static Section over(Lock lock) {
        return new Section() {
            @Override
            public OptionalLong enter() {
                lock.lock();
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                lock.unlock();
            }
        };
    }
}
