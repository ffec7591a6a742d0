/** The jars as modules. */
@NullMarked
package io.holdfast.build.modules;

import org.jspecify.annotations.NullMarked;
