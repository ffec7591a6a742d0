package io.holdfast.lock.redisson;

/**
 * Makes a call on a new thread. Redisson connects in the first calls, on the thread of the caller: there it takes an interrupt
 * for a failure of the server, or swallows it, and makes concurrent calls fail as well.
 */
final class ConnectThread {

    private ConnectThread() {}

    static void start(Runnable call) {
        Thread thread = new Thread(call, "holdfast-redisson-connect");
        thread.setDaemon(true);
        thread.start();
    }
}
