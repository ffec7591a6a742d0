/** The one-way rules between modules, and what code may not do anywhere. */
@NullMarked
package io.holdfast.build.architecture;

import org.jspecify.annotations.NullMarked;
