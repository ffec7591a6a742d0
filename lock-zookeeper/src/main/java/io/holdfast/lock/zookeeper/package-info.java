/**
 * The ZooKeeper backend: {@link io.holdfast.lock.zookeeper.ZooKeeperLockProvider} over the Curator framework.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
