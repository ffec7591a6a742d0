/**
 * The backend of SQL databases: {@link io.holdfast.lock.jdbc.JdbcLockProvider} over JDBC. And guards for what a lock of any store
 * protects in a database: {@link io.holdfast.lock.jdbc.RowFence}, {@link io.holdfast.lock.jdbc.TableFence} and, for a lock in the
 * same database, {@link io.holdfast.lock.jdbc.OwnershipGuard}.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.jdbc;

import org.jspecify.annotations.NullMarked;
