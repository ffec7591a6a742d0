@NullMarked
package io.holdfast.examples.backends;

import org.jspecify.annotations.NullMarked;
