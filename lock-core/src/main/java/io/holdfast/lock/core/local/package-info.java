/** Each lock as an object of this client: its queue of waiters, its holds, and what the store said last. */
@NullMarked
package io.holdfast.lock.core.local;

import org.jspecify.annotations.NullMarked;
