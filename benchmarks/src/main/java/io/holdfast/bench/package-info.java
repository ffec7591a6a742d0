/** Measures our locks, those of other libraries and what the stores can do at most, in turns inside one run. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
