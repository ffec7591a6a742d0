@NullMarked
package io.holdfast.examples.lockfile;

import org.jspecify.annotations.NullMarked;
