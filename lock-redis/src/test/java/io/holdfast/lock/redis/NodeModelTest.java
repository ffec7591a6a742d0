package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.LockScripts.Grant;
import io.holdfast.lock.redis.NodeModel.Answer;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RespConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The model of a server that simulations use answers as a real server does. */
@Tag("server")
class NodeModelTest {

    private static final KeySpace KEYS = new KeySpace(KeySpace.DEFAULT_PREFIX);
    private static final String LOCK = KEYS.lockKey("lock");
    private static final String COUNTER = KEYS.counterKey("lock");
    /** By so much the model's clock may lag behind: the test may be paused between two calls. Leases differ by more. */
    private static final Offset<Long> MILLIS_OF_THE_TEST = Offset.offset(20_000L);

    private static final int CALLS = 3_000;

    private final SplittableRandom random = new SplittableRandom(11);
    private final NodeModel model = new NodeModel();

    @Test
    void modelAnswersAsARealServer() {
        try (RedisServer server = RedisServer.start();
                RespConnection connection = server.connect()) {
            for (int call = 0; call < CALLS; call++) {
                compareOne(connection, "claim-" + random.nextInt(3), "call " + call);
                assertThat(connection.command("GET", COUNTER))
                        .as("the counter after call %d", call)
                        .isEqualTo(model.counter() == 0 ? Optional.empty() : Long.toString(model.counter()));
            }
        }
    }

    private void compareOne(RespConnection connection, String claim, String what) {
        long lease = 60_000L * (1 + random.nextInt(3));
        ClaimCalls calls = new ClaimCalls(
                LockScripts.of(RedisLockProvider.Layout.STRING),
                KEYS,
                new ClaimRequest(
                        "lock",
                        claim,
                        "owner",
                        Duration.ofMillis(lease),
                        Intent.WAIT,
                        new Claimant("host", 1, "thread")),
                claim);
        long now = time(connection);
        long near = Math.max(now, model.counter()) + random.nextInt(-1_000, 1_000) * 2_000L;
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 ->
                compareAcquire(run(connection, calls.acquireProposing(near)), now, claim, lease, near, what);
            case 4 ->
                assertThat(LockScripts.isYes(run(connection, calls.renewal())))
                        .as(what)
                        .isEqualTo(model.renew(now, claim, lease));
            case 5 -> assertThat(run(connection, calls.undo())).as(what).isEqualTo(number(model.release(now, claim)));
            case 6, 7 ->
                assertThat(run(connection, calls.raise(near)))
                        .as(what)
                        .isEqualTo(number(model.raise(now, claim, near)));
            case 8 -> {
                connection.command("DEL", LOCK);
                model.end();
            }
            default -> {
                connection.command("FLUSHALL");
                model.forget();
            }
        }
    }

    private void compareAcquire(Object reply, long now, String claim, long lease, long proposal, String what) {
        Optional<Grant> grant =
                reply instanceof String text ? LockScripts.grant(ScriptCall.bytes(text)) : Optional.empty();
        // The model has the server's clock of the very call where the server tells it.
        long at = grant.map(Grant::micros).orElse(now);
        Answer answer = model.acquire(at, claim, lease, proposal);
        assertThat(answer.granted()).as(what).isEqualTo(grant.isPresent());
        if (grant.isPresent()) {
            assertThat(answer.number()).as(what).isEqualTo(grant.get().token());
            assertThat(answer.earlier()).as(what).isEqualTo(grant.get().before());
        } else {
            List<?> parts = (List<?>) reply;
            assertThat(answer.number()).as(what).isCloseTo((Long) parts.get(0), MILLIS_OF_THE_TEST);
            assertThat(answer.holder()).as(what).isEqualTo(parts.get(2));
        }
    }

    private static long time(RespConnection connection) {
        List<?> time = (List<?>) connection.command("TIME");
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    private static Object run(RespConnection connection, ScriptCall call) {
        List<String> words = Arrays.stream(call.bySource())
                .map(word -> new String(word, StandardCharsets.UTF_8))
                .toList();
        String[] command = new String[words.size() + 1];
        command[0] = "EVAL";
        for (int i = 0; i < words.size(); i++) {
            command[i + 1] = words.get(i);
        }
        return connection.command(command);
    }

    private static Long number(boolean yes) {
        return yes ? 1L : 0L;
    }
}
