package io.holdfast.lock.redis;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks all nodes of a quorum in parallel who holds a lock, and waits until the answers of a majority decide it. */
final class HolderCall implements Receiver {

    private final String name;
    private final int size;
    private final Answers answers = new Answers();

    // All below is guarded by the answers.
    private final List<Optional<LockHolder>> found = new ArrayList<>();
    private final List<LockStoreException> failures = new ArrayList<>();
    private boolean late;

    private HolderCall(String name, int size) {
        this.name = name;
        this.size = size;
    }

    static Optional<LockHolder> of(Quorum quorum, KeySpace keys, String name) {
        ScriptCall call = LockScripts.of(RedisLockProvider.Layout.STRING).holderCall(keys, name);
        quorum.requireReady(call.what());
        HolderCall asking = new HolderCall(name, quorum.size());
        quorum.nodes().forEach(node -> node.connection().send(List.of(NodeRequest.asking(call, asking))));
        PassedTime sinceAsked = new PassedTime();
        Decision decision = asking.answers.await(
                asking::decision, () -> sinceAsked.leftOf(quorum.options().timeout()), () -> asking.late = true);
        if (!decision.isKnown()) {
            throw quorum.failure(call.what(), asking.answers.read(() -> List.copyOf(asking.failures)));
        }
        return decision.holder();
    }

    @Override
    public void answered(@Nullable Object reply, boolean repeated) {
        answers.change(() -> found.add(LockScripts.holder(reply, name)));
    }

    @Override
    public void failed(LockStoreException failure, boolean mayHaveArrived) {
        answers.change(() -> failures.add(failure));
    }

    /**
     * What the answers say.
     *
     * @param isKnown whether a majority has answered
     * @param holder the holder; empty if nobody has a majority
     */
    private record Decision(boolean isKnown, Optional<LockHolder> holder) {}

    /** The holder has the same owner on a majority of nodes. Null as long as further answers may decide. */
    private @Nullable Decision decision() {
        int pending = late ? 0 : size - found.size() - failures.size();
        int majority = QuorumAttempt.majorityOf(size);
        Map<String, List<LockHolder>> byOwner = new HashMap<>();
        found.stream()
                .flatMap(Optional::stream)
                .forEach(holder -> byOwner.computeIfAbsent(holder.owner(), owner -> new ArrayList<>())
                        .add(holder));
        List<LockHolder> most = byOwner.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (most.size() >= majority) {
            LockHolder holder = withTheTokenOfMost(most);
            // A majority carries the token of the grant; the others are waited for to find out which that is.
            long same = most.stream()
                    .filter(each -> each.fencingToken().equals(holder.fencingToken()))
                    .count();
            return same >= majority || pending == 0 ? new Decision(true, Optional.of(holder)) : null;
        }
        boolean isKnown = found.size() >= majority && most.size() + pending < majority;
        return isKnown || pending == 0 ? new Decision(isKnown, Optional.empty()) : null;
    }

    /** A node that granted late may have another token than that of the grant. */
    private static LockHolder withTheTokenOfMost(List<LockHolder> same) {
        Map<FencingToken, Integer> nodes = new HashMap<>();
        same.stream()
                .flatMap(holder -> holder.fencingToken().stream())
                .forEach(token -> nodes.merge(token, 1, Integer::sum));
        return same.stream()
                .max(Comparator.comparing((LockHolder holder) ->
                                holder.fencingToken().map(nodes::get).orElse(0))
                        .thenComparing(holder ->
                                holder.fencingToken().map(FencingToken::value).orElse(0L)))
                .orElseThrow();
    }
}
