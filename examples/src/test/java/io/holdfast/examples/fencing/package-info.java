@NullMarked
package io.holdfast.examples.fencing;

import org.jspecify.annotations.NullMarked;
