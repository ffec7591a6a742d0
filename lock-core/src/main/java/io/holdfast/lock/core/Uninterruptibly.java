package io.holdfast.lock.core;

/** Waits that an interrupt does not end: it is kept, and the thread is interrupted again when the wait is over. */
final class Uninterruptibly {

    private Uninterruptibly() {}

    /** Something to wait for. It begins anew after an interrupt. */
    interface Wait {
        void run() throws InterruptedException;
    }

    static void run(Wait wait) {
        boolean interrupted = false;
        boolean waiting = true;
        try {
            while (waiting) {
                try {
                    wait.run();
                    waiting = false;
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
