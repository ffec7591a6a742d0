/** The kit against servers in containers. */
@NullMarked
package io.holdfast.containers;

import org.jspecify.annotations.NullMarked;
