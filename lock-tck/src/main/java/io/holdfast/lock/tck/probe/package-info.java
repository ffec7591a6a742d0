/** Whether the faults of a harness work. Not exported. */
@NullMarked
package io.holdfast.lock.tck.probe;

import org.jspecify.annotations.NullMarked;
