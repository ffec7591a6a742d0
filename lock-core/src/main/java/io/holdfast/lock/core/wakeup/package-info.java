/** Wake-ups of waiters by the messages of a store. */
@NullMarked
package io.holdfast.lock.core.wakeup;

import org.jspecify.annotations.NullMarked;
