package io.holdfast.examples.demo;

import io.holdfast.servers.RedisServer;

/**
 * A Redis server of the demo's own.
 *
 * @param name the name on the command line
 * @param layout how the locks lie in Redis
 */
record RedisBackend(String name, String layout) implements DemoBackend {

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        return new Running(RedisServer.start(), layout);
    }

    private record Running(RedisServer server, String layout) implements Store {

        @Override
        public String uri() {
            return "redis://" + address() + "?layout=" + layout;
        }

        @Override
        public String description() {
            return "a Redis server on " + address() + ", layout '" + layout + "'";
        }

        private String address() {
            return server.host() + ":" + server.port();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
