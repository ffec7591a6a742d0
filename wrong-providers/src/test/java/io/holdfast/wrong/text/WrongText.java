package io.holdfast.wrong.text;

import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.tck.LockHarness;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A store with a backend that has a wrong text. Its classes are loaded once; all its harnesses share a prefix or a table, which
 * no other wrong text uses. Thread-safe.
 */
final class WrongText {

    private static final int READABLE = 25;

    private static final Map<String, WrongText> ALL = new ConcurrentHashMap<>();

    private final TextStore store;
    private final String separate;
    private final Supplier<ChangedBackend> loading;

    // Guarded by this.
    private boolean loaded;
    private ChangedBackend backend = ChangedBackend.unchanged();

    /**
     * A wrong text, which is not looked for yet.
     *
     * @param name a name that no other has
     */
    WrongText(String name, TextStore store, TextChange change) {
        this(name, store, () -> ChangedBackend.with(change));
    }

    private WrongText(String name, TextStore store, Supplier<ChangedBackend> loading) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        this.store = store;
        this.loading = loading;
        // Short enough for the name of a table.
        this.separate = "w_" + plain.substring(0, Math.min(READABLE, plain.length())) + "_"
                + Integer.toHexString((store + name).hashCode());
    }

    /** The wrong text of a name and a store: the same for all who ask. */
    static WrongText of(String name, TextStore store, TextChange change) {
        return ALL.computeIfAbsent(store + " " + name, none -> new WrongText(name, store, change));
    }

    /** No change at all: the control of the mechanism. */
    static WrongText none(TextStore store) {
        return new WrongText("none", store, ChangedBackend::unchanged);
    }

    @Override
    public String toString() {
        return store + " " + separate;
    }

    LockHarness harness() {
        return store.harness(backend(), separate);
    }

    /** A harness with a prefix or table of its own, for a test that must not see what others have left. */
    LockHarness harnessApart() {
        return store.harness(backend(), apart());
    }

    /** A harness with a schema of its own, in which other processes find the table under its usual name. */
    LockHarness harnessInSchema() {
        return store.harness(backend(), apart() + "." + LockTable.DEFAULT);
    }

    private String apart() {
        return separate + "_" + UUID.randomUUID().toString().substring(0, 8);
    }

    TextStore store() {
        return store;
    }

    /** What separates its locks from those of others. */
    String separate() {
        return separate;
    }

    /**
     * The backend.
     *
     * @return the backend
     * @throws IllegalArgumentException if the text to change does not occur exactly once
     */
    synchronized ChangedBackend backend() {
        if (!loaded) {
            backend = loading.get();
            loaded = true;
        }
        return backend;
    }
}
