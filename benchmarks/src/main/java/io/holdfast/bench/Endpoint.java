package io.holdfast.bench;

/** A host and a port. */
record Endpoint(String host, int port) {

    /** Reads {@code host:port}. */
    static Endpoint of(String address) {
        int colon = address.lastIndexOf(':');
        return new Endpoint(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
