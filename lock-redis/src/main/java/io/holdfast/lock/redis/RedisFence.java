package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.UnifiedJedis;

/**
 * A guard for keys of the application: an operation that carries a fencing token is done only if no later token has reached the
 * key. The lock may be in any store. Thread-safe.
 *
 * <pre>{@code
 * RedisFence fence = RedisFence.over(jedis).lockNamed(key -> key).build();
 * try (LockHandle held = client.lock("stock:42").acquire()) {
 *     NamedToken token = held.namedToken();
 *     int left = fence.get("stock:42", token).map(Integer::parseInt).orElse(0);
 *     fence.set("stock:42", Integer.toString(left - 1), token);
 * }
 * }</pre>
 *
 * <p>Redis keeps the highest token that a key has seen, its floor, in a key beside it. Each operation is one script: it compares
 * the token with the floor, raises the floor to it, and does the work. Reading raises the floor as well: else an earlier holder
 * could write what a later one has read already. All who write the key have to use the guard.
 *
 * <p>Every operation throws
 *
 * <ul>
 *   <li>{@link StaleTokenException} if the token is below the floor. Nothing was changed.
 *   <li>{@link IllegalArgumentException} if the token is of another lock than that which protects the key. Nothing was sent.
 *   <li>{@link LockStoreException} if Redis cannot be reached, or answered with an error. Its cause is the exception of Jedis.
 *   The outcome is unknown if there was no answer; the operation may be repeated with the same token. Only reading and
 *   {@link #enter} are repeated by the guard itself, once, if the connection breaks.
 * </ul>
 *
 * <p>It needs nothing to be closed: it borrows connections from the given client, and never closes that.
 */
public final class RedisFence {

    private static final String ENTER = "";
    private static final String GET = "return redis.call('GET', KEYS[1])";
    private static final String HGETALL = "return redis.call('HGETALL', KEYS[1])";
    private static final String SET = "return redis.call('SET', KEYS[1], ARGV[1])";
    private static final String DELETE = "return redis.call('DEL', KEYS[1])";

    /** One field at a time: Lua can pass only some thousand arguments. */
    private static final String HSET = "for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end";

    private final GuardedScripts scripts;
    private final UnaryOperator<String> lockOf;

    private RedisFence(GuardedScripts scripts, UnaryOperator<String> lockOf) {
        this.scripts = scripts;
        this.lockOf = lockOf;
    }

    /**
     * Starts to build a guard over a Jedis client of the application, of one of the kinds that {@link RedisLockProvider#over}
     * takes.
     *
     * @param client the client
     * @return a builder
     * @throws io.holdfast.lock.LockConfigurationException if it is another kind of client, or Jedis is too old
     */
    public static Builder over(UnifiedJedis client) {
        Objects.requireNonNull(client, "client");
        JedisVersion.requireSupported();
        return new Builder(GivenClient.runner(client, ClientUse.GUARD));
    }

    /**
     * Raises the floor of a key and does nothing else: from now on earlier holders are refused.
     *
     * @param key the key
     * @param token the token of the lock that protects it
     */
    public void enter(String key, NamedToken token) {
        ask("enter", ENTER, key, token);
    }

    /**
     * Reads a string, and raises the floor.
     *
     * @param key the key
     * @param token the token of the lock that protects it
     * @return the value; empty if the key does not exist
     */
    public Optional<String> get(String key, NamedToken token) {
        return Optional.ofNullable(ask("get", GET, key, token)).map(BuilderFactory.STRING::build);
    }

    /**
     * Reads a hash, and raises the floor.
     *
     * @param key the key
     * @param token the token of the lock that protects it
     * @return the values by field; empty if the key does not exist
     */
    public Map<String, String> hgetAll(String key, NamedToken token) {
        List<?> parts = (List<?>) Objects.requireNonNull(ask("hgetAll", HGETALL, key, token));
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i += 2) {
            fields.put(BuilderFactory.STRING.build(parts.get(i)), BuilderFactory.STRING.build(parts.get(i + 1)));
        }
        return fields;
    }

    /**
     * Sets a string, as SET does: the key loses its expiry. Use {@link #eval} for the options of SET.
     *
     * @param key the key
     * @param value the value
     * @param token the token of the lock that protects the key
     */
    public void set(String key, String value, NamedToken token) {
        Object unused = run("set", SET, List.of(key), List.of(value), token);
    }

    /**
     * Sets some fields of a hash; the others stay.
     *
     * @param key the key
     * @param fields the values by field; if there are none, only the floor is raised
     * @param token the token of the lock that protects the key
     */
    public void hset(String key, Map<String, String> fields, NamedToken token) {
        List<String> arguments = fields.entrySet().stream()
                .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                .toList();
        Object unused = run("hset", HSET, List.of(key), arguments, token);
    }

    /**
     * Deletes a key. Its floor stays: earlier holders cannot create it again.
     *
     * @param key the key
     * @param token the token of the lock that protects it
     * @return whether the key existed
     */
    public boolean delete(String key, NamedToken token) {
        return LockScripts.isYes(run("delete", DELETE, List.of(key), List.of(), token));
    }

    /**
     * Runs a Lua script behind the guard, in one atomic step. It sees its keys and arguments as KEYS and ARGV, as with EVAL. All
     * keys have to be protected by the lock of the token; each has its floor. If the token is below one of the floors, the script
     * is not run.
     *
     * <p>Redis undoes nothing: what a script wrote before it failed stays, and the floors stay raised. A script that cannot be
     * compiled raises none. Keep the text constant and pass what differs as arguments: the guard and the server keep each text.
     *
     * @param script the script, without a line that begins with {@code #!}
     * @param keys the keys that it uses, one at least, in a cluster all of one slot
     * @param arguments its other arguments
     * @param token the token of the lock that protects the keys
     * @return what it returned, as {@link UnifiedJedis#eval(String, List, List)} gives it: a {@code String}, a {@code Long} or a
     *     list; empty for nil
     * @throws IllegalArgumentException also if there is no key, or the client is one of a cluster and the keys are of several
     *     slots
     */
    public Optional<Object> eval(String script, List<String> keys, List<String> arguments, NamedToken token) {
        Objects.requireNonNull(script, "script");
        return Optional.ofNullable(run("eval", script, keys, arguments, token))
                .map(BuilderFactory.AGGRESSIVE_ENCODED_OBJECT::build);
    }

    private @Nullable Object ask(String operation, String script, String key, NamedToken token) {
        return scripts.ask(
                new GuardedScripts.Run(operation, script, protectedBy(token, List.of(key)), List.of(), token));
    }

    private @Nullable Object run(
            String operation, String script, List<String> keys, List<String> arguments, NamedToken token) {
        return scripts.run(new GuardedScripts.Run(operation, script, protectedBy(token, keys), arguments, token));
    }

    /** The keys, if the token is of the lock that protects them. */
    private List<String> protectedBy(NamedToken token, List<String> keys) {
        Objects.requireNonNull(token, "token");
        keys.forEach(key -> token.requireLock(lockOf.apply(key)));
        return keys;
    }

    /** Builds a {@link RedisFence}. Not thread-safe. */
    public static final class Builder {
        private final Supplier<ScriptRunner> runner;
        private UnaryOperator<String> lockOf = UnaryOperator.identity();

        private Builder(Supplier<ScriptRunner> runner) {
            this.runner = runner;
        }

        /**
         * Sets which lock protects a key. It has to be the same one for all who write the key, at all times: tokens of different
         * locks are not comparable.
         *
         * @param lockOf gives the name of the lock for a key; the key itself if it is not set
         * @return this builder
         */
        public Builder lockNamed(UnaryOperator<String> lockOf) {
            this.lockOf = Objects.requireNonNull(lockOf, "lockOf");
            return this;
        }

        /**
         * Makes the guard. No I/O.
         *
         * @return the guard
         */
        public RedisFence build() {
            return new RedisFence(new GuardedScripts(runner.get()), lockOf);
        }
    }
}
