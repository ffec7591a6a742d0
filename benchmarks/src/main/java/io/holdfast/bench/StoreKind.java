package io.holdfast.bench;

/** A store that the scenarios know. */
enum StoreKind {
    /** For what is measured without a store. */
    NONE,
    REDIS,
    ZOOKEEPER,
    POSTGRESQL;

    /** Starts a server of its own: for Redis the one that the command line names, if it names one. */
    MeasuredStore start(Wish wish) throws Exception {
        return switch (this) {
            case NONE -> new NoStore();
            case REDIS -> new MeasuredRedis(wish.redis().isPresent() ? wish.redis() : RedisProgram.unpacked());
            case ZOOKEEPER -> new MeasuredZooKeeper();
            case POSTGRESQL -> new MeasuredPostgreSql();
        };
    }
}
