/**
 * Faults that the kit asks a harness for, and the means to cause them: a proxy that makes the network fail, the processes of
 * servers and of other JVMs, and the death of a session.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.tck.faults;

import org.jspecify.annotations.NullMarked;
