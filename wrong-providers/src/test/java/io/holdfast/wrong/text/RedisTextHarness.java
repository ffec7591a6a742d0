package io.holdfast.wrong.text;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerFaults;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Redis with scripts of which one may be wrong. It has no URI: another process would run the right ones.
 *
 * @param backend the backend
 * @param layout of the locks
 * @param prefix of the keys
 * @param way to the server
 */
record RedisTextHarness(ChangedBackend backend, String layout, String prefix, ServerFaults way) implements LockHarness {

    private static final String FACTORY = "io.holdfast.lock.redis.RedisLockProviderFactory";
    private static final Duration TIME_OUT = Duration.ofSeconds(10);

    /** The server that all wrong scripts share. */
    private static final class Shared {
        private static final RedisServer SERVER = RedisServer.start();

        private Shared() {}
    }

    RedisTextHarness(ChangedBackend backend, String layout, String separate) {
        this(
                backend,
                layout,
                separate + ":",
                new ServerFaults(Shared.SERVER.host(), Shared.SERVER.port())
                        .withServer(RedisServer::start)
                        .refusingChanges(RedisServer.NO_REPLICAS));
    }

    /** The server that all wrong scripts share. */
    static RedisServer server() {
        return Shared.SERVER;
    }

    @Override
    public LockProvider open() {
        String uri = "redis://" + way.host() + ":" + way.port() + "?layout=" + layout;
        return backend.open(FACTORY, uri, Map.of("prefix", prefix));
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            try (RespConnection operator = RespConnection.open(Shared.SERVER.host(), way.serverPort(), TIME_OUT)) {
                operator.command("DEL", prefix + name);
            }
        });
    }

    /** Two of the faults of a server: the others cost a start or seconds, and are seldom about a text. */
    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public Optional<Fault> outage() {
                return way.outage();
            }

            @Override
            public List<Fault> errorReplies() {
                return way.errorReplies();
            }
        };
    }

    @Override
    public void close() {
        way.close();
    }
}
