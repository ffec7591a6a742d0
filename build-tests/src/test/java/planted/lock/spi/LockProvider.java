package planted.lock.spi;

import planted.lock.ApiStatus;
import planted.lock.LockException;

@ApiStatus
public interface LockProvider {
    void open() throws LockException, InterruptedException;
}
