/**
 * Real servers, processes and network faults for tests and for the demo. Not published.
 */
@NullMarked
package io.holdfast.servers;

import org.jspecify.annotations.NullMarked;
