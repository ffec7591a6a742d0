@NullMarked
package io.holdfast.examples.kit;

import org.jspecify.annotations.NullMarked;
