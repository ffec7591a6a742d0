package io.holdfast.examples.demo;

import io.holdfast.servers.RedisServer;

/**
 * A Redis server of the demo's own.
 *
 * @param name the name on the command line
 * @param scheme of the URI, and so who speaks with Redis
 * @param layout how the locks lie in Redis
 */
record RedisBackend(String name, String scheme, String layout) implements DemoBackend {

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RedisServer server = RedisServer.start();
        String address = server.host() + ":" + server.port();
        return new RunningStore(
                scheme + "://" + address + "?layout=" + layout,
                "a Redis server on " + address + ", layout '" + layout + "'",
                server::close);
    }
}
