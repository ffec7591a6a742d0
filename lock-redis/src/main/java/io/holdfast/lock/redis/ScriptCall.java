package io.holdfast.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * One call of a script.
 *
 * @param operation what it is for, such as {@code acquire}
 * @param subject of the operation: a lock, or the counter of many
 * @param script the script
 * @param keys its keys
 * @param arguments its other arguments
 * @param asked where it goes: to the node of its slot, or, by ASK, to the node that its slot is moving to
 */
record ScriptCall(
        String operation, Subject subject, Script script, List<byte[]> keys, List<byte[]> arguments, Asked asked) {

    /** The bytes of a word of a command around the word, at most. */
    private static final int WORD_FRAME = 16;

    /** Which node is asked to run a script. */
    enum Asked {
        OWNER,
        IMPORTER
    }

    /**
     * What an operation is about, as errors say it.
     *
     * @param kind of which there may be several
     * @param name of the one; not shown if there are several
     * @param count how many there are
     */
    record Subject(String kind, String name, int count) {

        Subject(String kind, String name) {
            this(kind, name, 1);
        }

        /** Some locks. */
        static Subject locks(String first, int count) {
            return new Subject("lock", first, count);
        }

        private String of(int all) {
            return all == 1 ? kind + " '" + name + "'" : all + " " + kind + "s";
        }
    }

    ScriptCall(String operation, String lockName, Script script, List<byte[]> keys, List<byte[]> arguments) {
        this(operation, Subject.locks(lockName, 1), script, keys, arguments, Asked.OWNER);
    }

    /**
     * Whether its script can be called for it and the other call together, which is of the same prefix, and so of the same
     * counter.
     */
    boolean goesWith(ScriptCall other) {
        return script == other.script && script.isForMany() && arguments.size() == other.arguments.size();
    }

    /** Calls that go together, as one. */
    static ScriptCall together(List<ScriptCall> calls) {
        ScriptCall first = calls.get(0);
        return new ScriptCall(
                first.operation,
                first.subject,
                first.script,
                calls.stream().flatMap(call -> call.keys.stream()).toList(),
                calls.stream().flatMap(call -> call.arguments.stream()).toList(),
                first.asked);
    }

    /** The same call, for the node that the slot is moving to. */
    ScriptCall toImporter() {
        return new ScriptCall(operation, subject, script, keys, arguments, Asked.IMPORTER);
    }

    /** The hash slot of its keys, which all lie in one. */
    int slot() {
        return JedisClusterCRC16.getSlot(keys.get(0));
    }

    /** Its description in errors. */
    String what() {
        return what(List.of(this));
    }

    /** The description of some calls for the same operation in errors. */
    static String what(List<ScriptCall> calls) {
        ScriptCall first = calls.get(0);
        int all = calls.stream().mapToInt(call -> call.subject().count()).sum();
        return first.operation() + " of " + first.subject().of(all);
    }

    byte[][] byDigest() {
        return words(script.digest());
    }

    byte[][] bySource() {
        return words(script.source());
    }

    /** How many bytes are sent by its digest. */
    int size() {
        int bytes = WORD_FRAME + script.digest().length;
        for (byte[] key : keys) {
            bytes += WORD_FRAME + key.length;
        }
        for (byte[] argument : arguments) {
            bytes += WORD_FRAME + argument.length;
        }
        return bytes;
    }

    private byte[][] words(byte[] first) {
        List<byte[]> words = new ArrayList<>(2 + keys.size() + arguments.size());
        words.add(first);
        words.add(bytes(Integer.toString(keys.size())));
        words.addAll(keys);
        words.addAll(arguments);
        return words.toArray(byte[][]::new);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
