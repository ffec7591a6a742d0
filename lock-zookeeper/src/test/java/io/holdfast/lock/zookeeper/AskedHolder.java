package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that holds a lock, and answers each question whether it does. */
final class AskedHolder {

    private AskedHolder() {}

    /**
     * Acquires, and answers until its input ends.
     *
     * @param arguments the URI and the name of the lock
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LockClient client = LockClient.connect(arguments[0]);
        LockHandle held = client.lock(arguments[1]).acquire();
        System.out.println("held with token " + held.fencingToken());
        while (questions.readLine() != null) {
            System.out.println("isHeld " + held.isHeld());
        }
        client.close();
    }
}
