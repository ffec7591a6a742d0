@NullMarked
package io.holdfast.lock.jdbc;

import org.jspecify.annotations.NullMarked;
