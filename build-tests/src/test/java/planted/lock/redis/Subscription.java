package planted.lock.redis;

/** Obeys: the one thread that a backend may have. */
record Subscription(Thread thread) {
    Subscription(Runnable task) {
        this(new Thread(task, "planted"));
    }
}
