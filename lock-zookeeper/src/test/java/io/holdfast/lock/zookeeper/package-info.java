@NullMarked
package io.holdfast.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
