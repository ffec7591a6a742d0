/** What a client needs of the machine: the clock, the timer, threads, and the delivery of events and log lines. */
@NullMarked
package io.holdfast.lock.core.runtime;

import org.jspecify.annotations.NullMarked;
