package io.holdfast.lock.redis;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks all nodes of a quorum in parallel who holds a lock, and waits until the answers of a majority decide it. */
final class HolderCall implements Receiver {

    private final String name;
    private final int size;
    private final List<Optional<LockHolder>> answers = new ArrayList<>();
    private final List<LockStoreException> failures = new ArrayList<>();

    private HolderCall(String name, int size) {
        this.name = name;
        this.size = size;
    }

    static Optional<LockHolder> of(Quorum quorum, KeySpace keys, String name) {
        ScriptCall call = LockScripts.holderCall(RedisLockProvider.Layout.STRING, keys, name);
        quorum.requireReady(call.what());
        HolderCall asking = new HolderCall(name, quorum.size());
        quorum.nodes().forEach(node -> node.connection().send(List.of(NodeRequest.asking(call, asking))));
        return asking.await(System.nanoTime() + quorum.options().timeout().toNanos())
                .orElseThrow(() -> quorum.failure(call.what(), asking.failures));
    }

    @Override
    public synchronized void answered(@Nullable Object reply, boolean repeated) {
        answers.add(LockScripts.holder(reply, name));
        notifyAll();
    }

    @Override
    public synchronized void failed(LockStoreException failure, boolean mayHaveArrived) {
        failures.add(failure);
        notifyAll();
    }

    private synchronized Optional<Optional<LockHolder>> await(long deadline) {
        boolean[] late = new boolean[1];
        return Waiting.until(
                this,
                () -> {
                    int pending = late[0] ? 0 : size - answers.size() - failures.size();
                    Optional<Optional<LockHolder>> decided = decided(pending);
                    return decided.isPresent() || pending == 0 ? decided : null;
                },
                () -> deadline,
                () -> late[0] = true);
    }

    /** The holder has the same owner on a majority of nodes; empty if too few have answered yet. */
    private Optional<Optional<LockHolder>> decided(int pending) {
        int majority = QuorumAttempt.majorityOf(size);
        Map<String, List<LockHolder>> byOwner = new HashMap<>();
        answers.stream()
                .flatMap(Optional::stream)
                .forEach(holder -> byOwner.computeIfAbsent(holder.owner(), owner -> new ArrayList<>())
                        .add(holder));
        int most = byOwner.values().stream().mapToInt(List::size).max().orElse(0);
        if (most >= majority) {
            return Optional.of(byOwner.values().stream()
                    .filter(same -> same.size() == most)
                    .map(same -> same.get(0))
                    .findFirst());
        }
        return answers.size() >= majority && most + pending < majority
                ? Optional.of(Optional.empty())
                : Optional.empty();
    }
}
