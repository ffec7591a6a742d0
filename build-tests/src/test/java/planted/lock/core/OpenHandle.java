package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import planted.lock.LockHandle;

@Violates("client, lock, handle and signals are implemented by hidden final classes of engine and kit")
class OpenHandle implements LockHandle {}
