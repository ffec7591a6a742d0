package io.holdfast.lock;

import java.util.Objects;

/**
 * Whom a hold belongs to: the same owner that acquires a lock again re-enters it, and nobody else does. Immutable.
 *
 * <p>The owner decides re-entry alone. A {@link LockHandle} may be used and closed by any thread, whoever its owner is.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public final class LockOwner {

    /** The longest logical owner id: {@value} characters. */
    public static final int MAX_ID_LENGTH = 256;

    private static final LockOwner CALLER = new LockOwner(Kind.CALLER, "");
    private static final LockOwner THREAD = new LockOwner(Kind.THREAD, "");
    private static final LockOwner UNIQUE = new LockOwner(Kind.UNIQUE, "");

    private final Kind kind;
    private final String id;

    private LockOwner(Kind kind, String id) {
        this.kind = kind;
        this.id = id;
    }

    /** The kinds of owner. */
    public enum Kind {
        /** {@link #THREAD} for blocking calls, {@link #UNIQUE} for asynchronous ones. */
        CALLER,
        /** The thread that makes the call, in this client. */
        THREAD,
        /** A new owner for each acquire. */
        UNIQUE,
        /** An owner that the application names. */
        LOGICAL
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
     * An owner that the application names, shared by all threads and clients that name it. Where the store counts holds
     * ({@link LockCapabilities.Reentrancy#STORE}), also by clients in other processes.
     *
     * @param id the name of the owner: 1 to {@value #MAX_ID_LENGTH} characters
     * @return the owner
     * @throws LockConfigurationException if the id is empty, too long or not valid Unicode
     */
    public static LockOwner of(String id) {
        Objects.requireNonNull(id, "id");
        return new LockOwner(Kind.LOGICAL, LockNames.requireText("owner id", id, MAX_ID_LENGTH));
    }

    /**
     * What kind of owner this is.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The name that the application gave to a logical owner.
     *
     * @return the id; empty for every other kind
     */
    public String id() {
        return id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOwner owner && owner.kind == kind && owner.id.equals(id);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, id);
    }

    @Override
    public String toString() {
        return kind == Kind.LOGICAL ? "of(" + id + ")" : kind.name().toLowerCase(java.util.Locale.ROOT) + "()";
    }
}
