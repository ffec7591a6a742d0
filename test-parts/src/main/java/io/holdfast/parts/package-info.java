/**
 * What the tests of the engine and of the backends share beside the kit. Not published.
 */
@NullMarked
package io.holdfast.parts;

import org.jspecify.annotations.NullMarked;
