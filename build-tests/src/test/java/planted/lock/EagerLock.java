package planted.lock;

import io.holdfast.build.architecture.Violates;
import planted.lock.spi.LockProvider;

@Violates({"the API knows the JDK and JSpecify alone", "no package cycles"})
record EagerLock(LockProvider provider) {}
