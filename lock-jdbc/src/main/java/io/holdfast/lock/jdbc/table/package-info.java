/**
 * What the providers over the table of locks share, whether they reach it by JDBC or by JPA. Not exported.
 */
@NullMarked
package io.holdfast.lock.jdbc.table;

import org.jspecify.annotations.NullMarked;
