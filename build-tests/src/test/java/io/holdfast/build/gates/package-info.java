/** Every gate of the build is seen to fire. */
@NullMarked
package io.holdfast.build.gates;

import org.jspecify.annotations.NullMarked;
