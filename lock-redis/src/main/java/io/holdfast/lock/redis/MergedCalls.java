package io.holdfast.lock.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAccessControlException;

/**
 * Calls of a script for many claims, made as one. The start of a script, the clock and the counter of tokens are much of
 * what a call costs the server, and are needed once. Only on a server that has all keys: in a cluster the keys of a script lie in
 * one slot.
 */
final class MergedCalls {

    private final List<ScriptCall> calls;
    private final List<List<Integer>> groups = new ArrayList<>();

    private MergedCalls(List<ScriptCall> calls) {
        this.calls = calls;
        for (int i = 0; i < calls.size(); i++) {
            groupOf(calls.get(i)).add(i);
        }
    }

    private List<Integer> groupOf(ScriptCall call) {
        for (List<Integer> group : groups) {
            if (calls.get(group.get(0)).goesWith(call)) {
                return group;
            }
        }
        List<Integer> group = new ArrayList<>();
        groups.add(group);
        return group;
    }

    /**
     * The replies in the order of the calls. An error reply of the server is an exception in the list, but for one that says that
     * the server is no master: that is thrown.
     *
     * @param sending sends calls in one round trip, and returns their replies
     */
    static List<@Nullable Object> replies(
            List<ScriptCall> calls, Function<List<ScriptCall>, List<@Nullable Object>> sending) {
        return calls.size() == 1 ? sending.apply(calls) : new MergedCalls(calls).replies(sending);
    }

    private List<@Nullable Object> replies(Function<List<ScriptCall>, List<@Nullable Object>> sending) {
        List<@Nullable Object> merged = sending.apply(groups.stream()
                .map(group -> ScriptCall.together(group.stream().map(calls::get).toList()))
                .toList());
        @Nullable Object[] replies = new Object[calls.size()];
        List<Integer> alone = new ArrayList<>();
        for (int g = 0; g < groups.size(); g++) {
            List<Integer> group = groups.get(g);
            if (group.size() == 1) {
                replies[group.get(0)] = merged.get(g);
            } else if (merged.get(g) instanceof List<?> parts) {
                MasterFailures.requireOfMaster(parts);
                for (int i = 0; i < group.size(); i++) {
                    replies[group.get(i)] = parts.get(i);
                }
            } else if (merged.get(g) instanceof JedisAccessControlException) {
                // The script did not run: the user may not access one of the keys.
                alone.addAll(group);
            } else {
                Object error = merged.get(g);
                group.forEach(i -> replies[i] = error);
            }
        }
        if (!alone.isEmpty()) {
            List<@Nullable Object> second =
                    sending.apply(alone.stream().map(calls::get).toList());
            for (int i = 0; i < alone.size(); i++) {
                replies[alone.get(i)] = second.get(i);
            }
        }
        return Arrays.asList(replies);
    }
}
