package io.holdfast.lock.zookeeper;

/**
 * Waits that an interrupt does not end. The interrupt is kept: the thread is interrupted again after the wait.
 */
final class UninterruptibleWait {

    private UninterruptibleWait() {}

    /** Something to wait for. It is called again after an interrupt. */
    interface Wait {
        /** Returns false if the time was up. */
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
