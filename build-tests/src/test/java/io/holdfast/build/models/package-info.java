/** The models of the repository are checked. */
@NullMarked
package io.holdfast.build.models;

import org.jspecify.annotations.NullMarked;
