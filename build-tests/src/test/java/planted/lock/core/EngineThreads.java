package planted.lock.core;

/** Obeys: the one place where threads are made. */
final class EngineThreads {
    private EngineThreads() {}

    static Thread start(Runnable task) {
        return new Thread(task, "planted");
    }
}
