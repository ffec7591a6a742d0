package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Which calls become one, and whose reply is whose. */
class MergedCallsTest {

    private static final Script FOR_MANY = Script.forMany(List.of("string-acquire-fast.lua"), List.of());
    private static final Script OTHER_FOR_MANY = Script.forMany(List.of("string-release-fast.lua"), List.of());
    private static final Script FOR_ONE = Script.of("string-holder.lua");

    private final List<List<String>> sent = new ArrayList<>();

    private static ScriptCall call(Script script, String key, String... arguments) {
        return new ScriptCall("test", key, script, words(key), words(arguments));
    }

    private static List<byte[]> words(String... words) {
        return Stream.of(words).map(ScriptCall::bytes).toList();
    }

    private static String text(List<byte[]> words) {
        return String.join(" ", words.stream().map(String::new).toList());
    }

    /** A reply for each key: the key itself. */
    private static Object reply(ScriptCall call) {
        List<String> keys = call.keys().stream().map(String::new).toList();
        return keys.size() == 1 ? keys.get(0) : keys;
    }

    private void note(List<ScriptCall> calls) {
        sent.add(calls.stream()
                .map(call -> text(call.keys()) + ": " + text(call.arguments()))
                .toList());
    }

    private static final List<ScriptCall> CALLS = List.of(
            call(FOR_MANY, "a", "1", "2"),
            call(OTHER_FOR_MANY, "b", "3", "4"),
            call(FOR_ONE, "c", "5", "6"),
            call(FOR_MANY, "d", "7", "8"),
            call(FOR_MANY, "e", "9"),
            call(FOR_ONE, "f", "10", "11"),
            call(OTHER_FOR_MANY, "g", "12", "13"),
            call(FOR_MANY, "h", "14", "15"));

    @Test
    void callsOfAScriptWithAsManyArgumentsAreOneAndEachGetsItsReply() {
        List<Object> replies = MergedCalls.replies(CALLS, calls -> {
            note(calls);
            return calls.stream().map(MergedCallsTest::reply).toList();
        });

        assertThat(replies).containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
        assertThat(sent)
                .containsExactly(List.of("a d h: 1 2 7 8 14 15", "b g: 3 4 12 13", "c: 5 6", "e: 9", "f: 10 11"));
    }

    /** Its script may have run in part: what it has released would be told as not held. */
    @Test
    void otherErrorIsThatOfEachCallAndNoneIsMadeAgain() {
        JedisDataException failed = new JedisDataException("ERR user_script:1");
        List<Object> replies = MergedCalls.replies(CALLS, calls -> {
            note(calls);
            return calls.stream()
                    .map(call -> call.keys().size() == 3 ? failed : reply(call))
                    .toList();
        });

        assertThat(replies).containsExactly(failed, "b", "c", failed, "e", "f", "g", failed);
        assertThat(sent).hasSize(1);
    }

    @Test
    void callsWhoseCommonScriptDidNotRunAreMadeAloneAndTheOthersNotAgain() {
        JedisDataException refused = new JedisAccessControlException("NOPERM");
        List<Object> replies = MergedCalls.replies(CALLS, calls -> {
            note(calls);
            return calls.stream()
                    .map(call -> call.keys().size() == 3 || text(call.keys()).equals("d") ? refused : reply(call))
                    .toList();
        });

        assertThat(replies).containsExactly("a", "b", "c", refused, "e", "f", "g", "h");
        assertThat(sent).hasSize(2).last().isEqualTo(List.of("a: 1 2", "d: 7 8", "h: 14 15"));
    }
}
