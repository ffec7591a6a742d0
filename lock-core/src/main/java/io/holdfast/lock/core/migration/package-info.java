/**
 * Moving a fleet of clients from one lock store to another while it runs.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.core.migration;

import org.jspecify.annotations.NullMarked;
