/**
 * Locks in the same table by JPA: {@link io.holdfast.lock.jdbc.jpa.JpaLockProvider} over an {@link
 * jakarta.persistence.EntityManagerFactory}; and {@link io.holdfast.lock.jdbc.jpa.EntityGuard}, which refuses stale changes of an
 * application's entities. Nothing else in this artifact needs JPA.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.jdbc.jpa;

import org.jspecify.annotations.NullMarked;
