/**
 * The backend of SQL databases: {@link io.holdfast.lock.jdbc.JdbcLockProvider} over JDBC.
 */
@NullMarked
package io.holdfast.lock.jdbc;

import org.jspecify.annotations.NullMarked;
