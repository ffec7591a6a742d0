/** What the tests of the modules before this one reported. */
@NullMarked
package io.holdfast.build.reports;

import org.jspecify.annotations.NullMarked;
