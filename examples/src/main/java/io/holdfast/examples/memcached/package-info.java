/**
 * Locks in a memcached server, at best effort: memcached may drop any record at any time. {@link
 * io.holdfast.examples.memcached.MemcachedClaim} is the one to read first; the page docs/backends/memcached.md says what it
 * guarantees and what not.
 */
@NullMarked
package io.holdfast.examples.memcached;

import org.jspecify.annotations.NullMarked;
