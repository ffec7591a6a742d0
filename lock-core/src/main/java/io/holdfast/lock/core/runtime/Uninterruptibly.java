package io.holdfast.lock.core.runtime;

/** Waits that an interrupt does not end: it is kept, and the thread is interrupted again when the wait is over. */
public final class Uninterruptibly {

    private Uninterruptibly() {}

    /** Something to wait for. It begins anew after an interrupt. */
    public interface Wait {
        void run() throws InterruptedException;
    }

    public static void run(Wait wait) {
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
