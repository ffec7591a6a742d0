/** Moving a fleet of clients from one lock store to another while it runs. */
@NullMarked
package io.holdfast.lock.core.migration;

import org.jspecify.annotations.NullMarked;
