package io.holdfast.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The servers of a run, each started when it is needed first. Not thread-safe. */
final class RunningStores implements AutoCloseable {

    private final Map<StoreKind, MeasuredStore> running = new EnumMap<>(StoreKind.class);
    private final Wish wish;

    RunningStores(Wish wish) {
        this.wish = wish;
    }

    MeasuredStore of(StoreKind kind) throws Exception {
        MeasuredStore store = running.get(kind);
        if (store == null) {
            store = kind.start(wish);
            running.put(kind, store);
        }
        return store;
    }

    /** The products and their versions. */
    List<String> versions() throws Exception {
        List<String> versions = new ArrayList<>();
        for (MeasuredStore store : running.values()) {
            versions.add(store.version());
        }
        return versions;
    }

    @Override
    public void close() throws IOException {
        for (MeasuredStore store : running.values()) {
            store.close();
        }
    }
}
