package planted.lock.core;

import planted.lock.LockHandle;
import planted.lock.spi.LockProvider;

/** Obeys: an implementation that nobody else can name, and an interrupt that is passed on. */
public final class Engine {

    record Handle(LockProvider provider) implements LockHandle {}

    static void passOn(InterruptedException interrupt, LockProvider provider) throws InterruptedException {
        Thread.currentThread().interrupt();
        provider.open();
        throw interrupt;
    }
}
