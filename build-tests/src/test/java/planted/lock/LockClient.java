package planted.lock;

import planted.lock.spi.LockProvider;

public interface LockClient {
    LockProvider provider();
}
