package io.holdfast.lock.redis;

/** What the connections to a server are used for. */
enum ClientUse {
    LOCKS("\"Permissions\" in docs/backends/redis.md has all that a lock needs"),
    GUARD("\"A guard for your keys\" in docs/backends/redis.md has all that the guard needs");

    private final String rights;

    ClientUse(String rights) {
        this.rights = rights;
    }

    /** Where the rights are listed that this use needs, for people. */
    String rights() {
        return rights;
    }
}
