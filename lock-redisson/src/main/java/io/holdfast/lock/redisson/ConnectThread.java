package io.holdfast.lock.redisson;

import java.util.concurrent.Executor;

/**
 * Makes a call on a thread of its own. Redisson connects in the first calls and on the thread that makes them: there it takes an
 * interrupt for a failure of the server, or swallows it, and has others that call at the same time fail as well.
 */
final class ConnectThread implements Executor {

    @Override
    public void execute(Runnable call) {
        Thread thread = new Thread(call, "holdfast-redisson-connect");
        thread.setDaemon(true);
        thread.start();
    }
}
