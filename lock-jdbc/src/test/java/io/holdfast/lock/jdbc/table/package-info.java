@NullMarked
package io.holdfast.lock.jdbc.table;

import org.jspecify.annotations.NullMarked;
