package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("every exception is a LockException")
final class MisplacedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
