@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
