package io.holdfast.lock;

import java.util.Objects;
import java.util.Optional;

/**
 * Whom a hold belongs to: the same owner that acquires a lock again re-enters it, and nobody else does. Immutable.
 *
 * <p>The owner decides re-entry alone. A {@link LockHandle} may be used and closed by any thread, whatever its owner.
 */
public final class LockOwner {

    /** The longest logical owner id: {@value} characters. */
    public static final int MAX_ID_LENGTH = 256;

    private static final LockOwner CALLER = new LockOwner("caller()", Optional.empty());
    private static final LockOwner THREAD = new LockOwner("thread()", Optional.empty());
    private static final LockOwner UNIQUE = new LockOwner("unique()", Optional.empty());

    private final String text;
    private final Optional<String> id;

    private LockOwner(String text, Optional<String> id) {
        this.text = text;
        this.id = id;
    }

    /**
     * The default: the calling thread for blocking calls, a new owner for each asynchronous call.
     *
     * @return the owner
     */
    public static LockOwner caller() {
        return CALLER;
    }

    /**
     * The thread that makes the acquiring call, in the client that it is made on.
     *
     * @return the owner
     */
    public static LockOwner thread() {
        return THREAD;
    }

    /**
     * A new owner for each acquire: nothing re-enters.
     *
     * @return the owner
     */
    public static LockOwner unique() {
        return UNIQUE;
    }

    /**
     * An owner that the application names, shared by all threads of one client that name it. Where the store counts holds
     * ({@link LockCapabilities.Reentrancy#STORE}), all clients share it, also in other processes; elsewhere two clients exclude
     * each other.
     *
     * @param id the name of the owner: 1 to {@value #MAX_ID_LENGTH} characters
     * @return the owner
     * @throws LockConfigurationException if the id is empty, too long or not valid Unicode
     */
    public static LockOwner of(String id) {
        Objects.requireNonNull(id, "id");
        LockNames.requireText("owner id", id, MAX_ID_LENGTH);
        return new LockOwner("of(" + id + ")", Optional.of(id));
    }

    /**
     * The name that the application gave to this owner.
     *
     * @return the id; empty unless it was made by {@link #of}
     */
    public Optional<String> id() {
        return id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOwner owner && owner.text.equals(text) && owner.id.equals(id);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, id);
    }

    @Override
    public String toString() {
        return text;
    }
}
