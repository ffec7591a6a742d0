package planted.lock;

import planted.lock.spi.LockProvider;

@ApiStatus
public interface LockClient {
    LockProvider provider();
}
