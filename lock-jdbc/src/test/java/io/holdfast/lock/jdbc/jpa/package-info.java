@NullMarked
package io.holdfast.lock.jdbc.jpa;

import org.jspecify.annotations.NullMarked;
