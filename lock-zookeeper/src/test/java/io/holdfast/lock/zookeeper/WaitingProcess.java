package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Refusals;
import java.io.IOException;

/** A process in which several threads wait for each of some locks, and that prints the result of each wait. */
final class WaitingProcess {

    /** How many threads wait for each lock. */
    static final int WAITERS = 3;

    private WaitingProcess() {}

    /**
     * Waits, and ends with its input.
     *
     * @param arguments the URI, and the names of the locks
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Refusals refusals = new Refusals();
        try (LockClient client =
                LockClient.builder(arguments[0]).listener(refusals).build()) {
            for (int name = 1; name < arguments.length; name++) {
                for (int waiter = 0; waiter < WAITERS; waiter++) {
                    begin(client, arguments[name]);
                }
            }
            refusals.await(WAITERS * (arguments.length - 1));
            System.out.println("all wait");
            int end = System.in.read();
            System.out.println("ends after " + end);
        }
    }

    private static void begin(LockClient client, String name) {
        Thread waiter = new Thread(() -> {
            try (LockHandle held = client.lock(name).acquire()) {
                System.out.println("granted " + name + " with token " + held.fencingToken());
            } catch (LockException | InterruptedException failure) {
                System.out.println("failed " + name + ": " + failure);
            }
        });
        waiter.start();
    }
}
