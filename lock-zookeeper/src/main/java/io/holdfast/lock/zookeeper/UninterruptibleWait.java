package io.holdfast.lock.zookeeper;

/**
 * Waits that an interrupt does not end, as it says nothing of the store: it is kept, and the thread is interrupted again when the
 * wait is over.
 */
final class UninterruptibleWait {

    private UninterruptibleWait() {}

    /** Something to wait for. It begins anew after an interrupt. */
    interface Wait {
        /** Returns whether it has come, and not just the time was up. */
        boolean run() throws InterruptedException;
    }

    static boolean run(Wait wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.run();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
