package io.holdfast.bench;

/** A store that the scenarios know. */
enum StoreKind {
    /** For what is measured without a store. */
    NONE,
    REDIS,
    ZOOKEEPER,
    POSTGRESQL;

    /** Starts a server of its own. */
    MeasuredStore start() throws Exception {
        return switch (this) {
            case NONE -> new NoStore();
            case REDIS -> new MeasuredRedis();
            case ZOOKEEPER -> new MeasuredZooKeeper();
            case POSTGRESQL -> new MeasuredPostgreSql();
        };
    }
}
