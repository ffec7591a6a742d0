/** The models are checked. */
@NullMarked
package io.holdfast.models;

import org.jspecify.annotations.NullMarked;
