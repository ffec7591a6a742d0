package io.holdfast.lock.redis;

import io.holdfast.lock.redis.ScriptCall.Asked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Sends scripts to one server, many in one round trip, and knows which of them the server has. Thread-safe. */
final class ScriptPipeline {

    private final Answering answering;
    private final Set<Script> sent = ConcurrentHashMap.newKeySet();

    ScriptPipeline(Answering answering) {
        this.answering = answering;
    }

    /** Whose answers count. A replica refuses to write, but also answers from what it has, which may be old. */
    enum Answering {
        /** Every server's: there is one. */
        ANY,
        /** A master's: the server says what it is, after each answer and in the same round trip. */
        MASTER
    }

    /**
     * The replies in the order of the calls. An error reply of the server is an exception in the list, but for one that says that
     * the server is no master: that is thrown.
     */
    List<@Nullable Object> replies(List<ScriptCall> calls, Connection connection) {
        List<@Nullable Object> replies = pipelined(calls, connection, Script::isSentAtOnce);
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof JedisNoScriptException) {
                unknown.add(i);
            }
        }
        if (!unknown.isEmpty()) {
            unknown.forEach(i -> sent.remove(calls.get(i).script()));
            List<@Nullable Object> second =
                    pipelined(unknown.stream().map(calls::get).toList(), connection, script -> true);
            for (int i = 0; i < second.size(); i++) {
                replies.set(unknown.get(i), second.get(i));
            }
        }
        return replies;
    }

    /** The first call of a script sends its source, which saves the round trip of a NOSCRIPT; that of a long one asks before. */
    private List<@Nullable Object> pipelined(
            List<ScriptCall> calls, Connection connection, Predicate<Script> bySource) {
        Set<Script> known = new HashSet<>(sent);
        for (ScriptCall call : calls) {
            if (call.asked() == Asked.IMPORTER) {
                connection.sendCommand(Command.ASKING);
            }
            if (known.add(call.script()) && bySource.test(call.script())) {
                connection.sendCommand(Command.EVAL, call.bySource());
            } else {
                connection.sendCommand(Command.EVALSHA, call.byDigest());
            }
        }
        List<@Nullable Object> replies = repliesOfMaster(calls, connection);
        for (int i = 0; i < replies.size(); i++) {
            if (!(replies.get(i) instanceof JedisDataException)) {
                sent.add(calls.get(i).script());
            }
        }
        return replies;
    }

    /** Throws if a reply shows that the server is none. Asked after the calls: what it says before them may be outdated. */
    private List<@Nullable Object> repliesOfMaster(List<ScriptCall> calls, Connection connection) {
        if (answering == Answering.MASTER) {
            connection.sendCommand(Command.HELLO);
        }
        long asking =
                calls.stream().filter(call -> call.asked() == Asked.IMPORTER).count();
        int more = answering == Answering.MASTER ? 1 : 0;
        Iterator<Object> all = connection
                .getMany(Math.toIntExact(calls.size() + asking) + more)
                .iterator();
        List<@Nullable Object> replies = withoutAsking(calls, all);
        MasterFailures.requireOfMaster(replies);
        if (answering == Answering.MASTER) {
            MasterFailures.requireMaster(all.next());
        }
        return replies;
    }

    /** The replies to the scripts. A refused ASKING stands in for the reply to its script. */
    private static List<@Nullable Object> withoutAsking(List<ScriptCall> calls, Iterator<Object> all) {
        List<@Nullable Object> replies = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            Object asked = call.asked() == Asked.IMPORTER ? all.next() : null;
            Object reply = all.next();
            replies.add(asked instanceof JedisDataException ? asked : reply);
        }
        return replies;
    }
}
