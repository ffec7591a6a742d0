package io.holdfast.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a script.
 *
 * @param operation what it is for, such as {@code acquire}
 * @param lockName the lock that it is for
 * @param script the script
 * @param keys its keys
 * @param arguments its other arguments
 */
record ScriptCall(String operation, String lockName, Script script, List<byte[]> keys, List<byte[]> arguments) {

    /** Its description in errors. */
    String what() {
        return operation + " of lock '" + lockName + "'";
    }

    byte[][] byDigest() {
        return words(script.digest());
    }

    byte[][] bySource() {
        return words(script.source());
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
