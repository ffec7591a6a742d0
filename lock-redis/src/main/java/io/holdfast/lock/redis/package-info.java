/**
 * The Redis backend: {@link io.holdfast.lock.redis.RedisLockProvider} over Jedis.
 */
@NullMarked
package io.holdfast.lock.redis;

import org.jspecify.annotations.NullMarked;
