/** Runs the kit over the project's own providers, and writes {@code docs/evidence.md} from its reports. Not published. */
@NullMarked
package io.holdfast.evidence;

import org.jspecify.annotations.NullMarked;
