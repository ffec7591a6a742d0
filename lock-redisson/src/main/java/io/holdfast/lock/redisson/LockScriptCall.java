package io.holdfast.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One call of a script.
 *
 * @param operation what it is for, such as {@code acquire}
 * @param lockName the lock that it is for, as the application names it
 * @param script the script
 * @param keys its keys, as they are in Redis
 * @param arguments its other arguments
 */
record LockScriptCall(String operation, String lockName, LockScript script, List<String> keys, List<String> arguments) {

    String what() {
        return operation + " of lock '" + lockName + "'";
    }

    /** As bytes: Redisson maps the names of keys that are text, and these are mapped already. */
    List<Object> keysAsTheyAre() {
        return encoded(keys);
    }

    /** For {@link ScriptExecutor#CODEC}. */
    Object[] encodedArguments() {
        return encoded(arguments).toArray();
    }

    private static List<Object> encoded(List<String> texts) {
        return texts.stream()
                .<Object>map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
