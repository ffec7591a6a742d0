/** Wrong providers over nodes of ZooKeeper, and a right one as control. */
@NullMarked
package io.holdfast.wrong.zookeeper;

import org.jspecify.annotations.NullMarked;
