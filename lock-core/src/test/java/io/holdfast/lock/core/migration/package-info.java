@NullMarked
package io.holdfast.lock.core.migration;

import org.jspecify.annotations.NullMarked;
