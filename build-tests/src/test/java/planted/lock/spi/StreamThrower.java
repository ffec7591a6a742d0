package planted.lock.spi;

import io.holdfast.build.architecture.Violates;
import java.io.IOException;

@Violates("what is thrown is a LockException or an interrupt")
abstract class StreamThrower {
    abstract void run() throws IOException;
}
