package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.KeySpace.Spread;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One call that renews many claims. One server renews them by a script for many; what that leaves, such as a claim that is gone
 * or meets an error, is renewed by the script for one, so that each claim has its own answer. A cluster has a script for one
 * each: their keys are in different slots, which may move.
 */
final class BatchRenewal {

    /** The server runs nothing else meanwhile: so many claims take it a millisecond or two. */
    static final int MOST_IN_A_SCRIPT = 500;

    private final RedisLockProvider provider;
    private final List<RedisClaim> claims;
    private final PassedTime begun = new PassedTime();
    private final Renewal[] answers;

    BatchRenewal(RedisLockProvider provider, List<RedisClaim> claims) {
        this.provider = provider;
        this.claims = claims;
        this.answers = new Renewal[claims.size()];
    }

    /**
     * Renews the claims.
     *
     * @throws LockStoreException if the outcome of all is unknown
     */
    List<Renewal> run() {
        List<Integer> all = IntStream.range(0, claims.size()).boxed().toList();
        if (provider.keys().spread() == Spread.SLOTS || claims.size() == 1) {
            renewAlone(all);
        } else {
            List<Integer> left = renewTogether(all);
            try {
                renewAlone(left);
            } catch (LockStoreException unknown) {
                left.forEach(i -> answers[i] = new Renewal.Unknown(unknown));
            }
        }
        return Arrays.asList(answers);
    }

    /** Returns those that have no answer yet. */
    private List<Integer> renewTogether(List<Integer> all) {
        List<List<Integer>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MOST_IN_A_SCRIPT) {
            parts.add(all.subList(from, Math.min(from + MOST_IN_A_SCRIPT, all.size())));
        }
        List<Object> replies = replies(parts, this::callOf);
        List<Integer> left = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            for (int i = 0; i < parts.get(part).size(); i++) {
                int claim = parts.get(part).get(i);
                if (replies.get(part) instanceof LockStoreException unknown) {
                    answers[claim] = new Renewal.Unknown(unknown);
                } else {
                    ServerReply reply = ((ServerReply) replies.get(part)).part(i);
                    if (LockScripts.isYes(reply.value())) {
                        answers[claim] = claims.get(claim).renewal(reply, begun);
                    } else {
                        left.add(claim);
                    }
                }
            }
        }
        return left;
    }

    private ScriptCall callOf(List<Integer> part) {
        List<RedisClaim> together = part.stream().map(claims::get).toList();
        return ClaimCalls.renewal(
                together.stream().map(RedisClaim::calls).toList(),
                together.stream().map(RedisClaim::end).toList());
    }

    private void renewAlone(List<Integer> left) {
        List<Object> replies = replies(left, claim -> claims.get(claim).calls().renewal());
        for (int i = 0; i < left.size(); i++) {
            int claim = left.get(i);
            answers[claim] = replies.get(i) instanceof LockStoreException unknown
                    ? new Renewal.Unknown(unknown)
                    : claims.get(claim).renewal((ServerReply) replies.get(i), begun);
        }
    }

    private <T> List<Object> replies(List<T> parts, Function<T, ScriptCall> calling) {
        List<ScriptCall> calls = parts.stream().map(calling).toList();
        return SecondTry.of(() -> provider.runner().runAll(calls));
    }
}
