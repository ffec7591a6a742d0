/**
 * The Redis backend: {@link io.holdfast.lock.redis.RedisLockProvider} over Jedis.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.redis;

import org.jspecify.annotations.NullMarked;
