package io.holdfast.lock.redis;

/** What a simulation is of. */
enum Protocol {
    /** A majority of three or five servers. */
    REDLOCK,
    /** One server, which keeps its data. */
    ONE_SERVER
}
