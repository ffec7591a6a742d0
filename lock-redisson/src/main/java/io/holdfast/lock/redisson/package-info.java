/**
 * The backend over Redisson: {@link io.holdfast.lock.redisson.RedissonLockProvider}, whose locks exclude Redisson's own.
 */
@NullMarked
package io.holdfast.lock.redisson;

import org.jspecify.annotations.NullMarked;
