/** The resource's side of a lock: a table that refuses the late write of a holder that has been superseded. */
@NullMarked
package io.holdfast.examples.fencing;

import org.jspecify.annotations.NullMarked;
