@NullMarked
package io.holdfast.lock.redis;

import org.jspecify.annotations.NullMarked;
