package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no nameless exceptions")
record NamelessThrower() {
    static RuntimeException failure() {
        return new RuntimeException("planted");
    }
}
