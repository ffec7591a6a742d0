@NullMarked
package io.holdfast.lock.redisson;

import org.jspecify.annotations.NullMarked;
