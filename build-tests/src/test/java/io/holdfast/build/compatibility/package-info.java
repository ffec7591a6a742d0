/** The page of what was tested with what, and the reports of the tests that fill it. */
@NullMarked
package io.holdfast.build.compatibility;

import org.jspecify.annotations.NullMarked;
