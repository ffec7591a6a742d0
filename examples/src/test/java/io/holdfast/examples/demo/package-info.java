@NullMarked
package io.holdfast.examples.demo;

import org.jspecify.annotations.NullMarked;
