package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("the current thread is asked for nothing but its interrupt and its name")
record ThreadComparison() {
    static boolean isCaller(Object owner) {
        return Thread.currentThread().equals(owner);
    }
}
