@NullMarked
package io.holdfast.examples.memcached;

import org.jspecify.annotations.NullMarked;
