package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no throws Exception")
interface AnythingThrower {
    void run() throws Exception;
}
