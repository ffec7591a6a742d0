package io.holdfast.lock.jdbc.jpa;

/**
 * An entity of the application that a lock protects, and whose stale changes an {@link EntityGuard} refuses. It has one attribute
 * of the type {@link Fence}.
 */
public interface FencedEntity {

    /**
     * The name of the lock that protects this entity. It never changes, and depends only on what is known before the entity is
     * inserted: not on an id that the database makes by the insert ({@code IDENTITY}).
     *
     * @return the name, such as {@code stock:42}
     */
    String guardingLock();
}
