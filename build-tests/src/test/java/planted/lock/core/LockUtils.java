package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("a name says the role")
record LockUtils() {}
