/** The provider's claims: called serially, without interrupts, and released in the background when nobody needs them. */
@NullMarked
package io.holdfast.lock.core.claim;

import org.jspecify.annotations.NullMarked;
