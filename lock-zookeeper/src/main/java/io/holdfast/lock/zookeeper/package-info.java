/**
 * The ZooKeeper backend: {@link io.holdfast.lock.zookeeper.ZooKeeperLockProvider} over the Curator framework.
 */
@NullMarked
package io.holdfast.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
