/**
 * The in-memory provider: one store for all clients of a JVM, for tests, for programs of one process, and as the first thing
 * to read for the author of a backend.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.core.memory;

import org.jspecify.annotations.NullMarked;
