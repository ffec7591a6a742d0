package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no thread id outside the owner's identity")
record ThreadNumber() {
    static long of(Thread thread) {
        return thread.getId();
    }
}
