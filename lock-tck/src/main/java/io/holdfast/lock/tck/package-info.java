/**
 * The compatibility kit for lock providers. The vendor of a backend extends {@link io.holdfast.lock.tck.LockProviderTck} and
 * {@link io.holdfast.lock.tck.LockClientTck}, and tells each by a {@link io.holdfast.lock.tck.LockHarness} how to reach the
 * store; each rule is then one test of the vendor's class.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.tck;

import org.jspecify.annotations.NullMarked;
