package io.holdfast.examples.demo;

import io.holdfast.servers.RedisNodes;
import java.util.Optional;

/** Five independent Redis servers, of which two are killed while the buyers buy. */
final class RedlockBackend implements DemoBackend {

    private static final int SERVERS = 5;

    @Override
    public String name() {
        return "redlock";
    }

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RedisNodes nodes = RedisNodes.startDurable(SERVERS);
        return new RunningStore(
                "redlock://" + nodes.addresses() + "?persistence=always",
                "a majority of five Redis servers on " + nodes.addresses(),
                nodes::close,
                Optional.of(new Mishap(
                        "two of the five servers are killed (SIGKILL)",
                        () -> {
                            nodes.get(0).kill();
                            nodes.get(SERVERS - 1).kill();
                        },
                        Mishap.Harm.NONE)));
    }
}
