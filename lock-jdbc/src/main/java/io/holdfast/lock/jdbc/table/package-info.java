/** Shared by the providers over the lock table, by JDBC and by JPA. Not exported. */
@NullMarked
package io.holdfast.lock.jdbc.table;

import org.jspecify.annotations.NullMarked;
