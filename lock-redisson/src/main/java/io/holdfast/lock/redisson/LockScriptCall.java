package io.holdfast.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One call of a script.
 *
 * @param operation what it is for, such as {@code acquire}
 * @param lockName the lock that it is for, as the application names it; or the counter
 * @param script the script
 * @param keys its keys, as they are in Redis
 * @param arguments its other arguments
 */
record LockScriptCall(String operation, String lockName, LockScript script, List<String> keys, List<String> arguments) {

    String what() {
        return operation + " of " + kind() + " '" + lockName + "'";
    }

    /** The description of several calls for the same operation. */
    static String what(List<LockScriptCall> calls) {
        LockScriptCall first = calls.get(0);
        return calls.size() == 1 ? first.what() : first.operation() + " of " + calls.size() + " " + first.kind() + "s";
    }

    private String kind() {
        return script == LockScript.COUNTER ? "counter" : "lock";
    }

    /** As bytes: Redisson maps the names of keys that are text, and these are mapped already. */
    List<Object> keysAsTheyAre() {
        return Arrays.asList(encoded(keys));
    }

    /** For {@link ScriptExecutor#CODEC}. */
    Object[] encodedArguments() {
        return encoded(arguments);
    }

    private static Object[] encoded(List<String> texts) {
        Object[] bytes = new Object[texts.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = texts.get(i).getBytes(StandardCharsets.UTF_8);
        }
        return bytes;
    }
}
