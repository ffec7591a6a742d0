/** The leases of a client's holds: when to renew, when to warn, when they end. */
@NullMarked
package io.holdfast.lock.core.lease;

import org.jspecify.annotations.NullMarked;
