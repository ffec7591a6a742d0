package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.time.Duration;
import java.util.Optional;

final class Hello {

    public static void main(String[] args) throws InterruptedException {
        try (LockClient client = LockClient.connect("memory:hello")) { // or redis://localhost:6379
            Optional<LockHandle> grant = client.lock("stock:42").tryAcquire(Duration.ofSeconds(5));
            if (grant.isEmpty()) {
                System.out.println("for five seconds somebody else held the lock");
                return;
            }
            try (LockHandle held = grant.get()) {
                System.out.println("I hold the lock; my fencing token is " + held.fencingToken());
            }
        }
    }
}
