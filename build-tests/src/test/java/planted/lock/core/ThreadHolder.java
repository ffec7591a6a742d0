package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no thread is kept as an identity")
record ThreadHolder(Thread holder) {}
