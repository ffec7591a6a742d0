/** Every MUST of the specification has a test. */
@NullMarked
package io.holdfast.build.spec;

import org.jspecify.annotations.NullMarked;
