package planted.lock.core.runtime;

/** Obeys: the one place where threads are made. */
public final class EngineThreads {
    private EngineThreads() {}

    public static Thread start(Runnable task) {
        return new Thread(task, "planted");
    }
}
