/**
 * The backend of SQL databases: {@link io.holdfast.lock.jdbc.JdbcLockProvider} over JDBC.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.jdbc;

import org.jspecify.annotations.NullMarked;
