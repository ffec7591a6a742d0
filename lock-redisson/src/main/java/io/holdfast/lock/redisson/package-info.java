/**
 * The backend over Redisson: {@link io.holdfast.lock.redisson.RedissonLockProvider}, whose locks exclude Redisson's own.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.redisson;

import org.jspecify.annotations.NullMarked;
