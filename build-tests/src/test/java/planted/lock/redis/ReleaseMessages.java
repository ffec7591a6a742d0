package planted.lock.redis;

/** Obeys: a feed may have a thread. */
record ReleaseMessages(Thread thread) {
    ReleaseMessages(Runnable task) {
        this(new Thread(task, "planted"));
    }
}
