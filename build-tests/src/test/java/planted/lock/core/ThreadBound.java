package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no thread local")
record ThreadBound(ThreadLocal<String> holder) {}
