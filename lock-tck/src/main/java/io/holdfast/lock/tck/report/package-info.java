/** What the kit found, for people and for build servers. Not exported. */
@NullMarked
package io.holdfast.lock.tck.report;

import org.jspecify.annotations.NullMarked;
