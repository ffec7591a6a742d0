package planted.lock.spi;

import planted.lock.LockException;

public interface LockProvider {
    void open() throws LockException, InterruptedException;
}
