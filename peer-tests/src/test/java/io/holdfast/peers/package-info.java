/** Locks of other libraries and ours on one store. */
@NullMarked
package io.holdfast.peers;

import org.jspecify.annotations.NullMarked;
