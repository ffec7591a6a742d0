/**
 * The demo: buyers in several processes take the last units of a stock, without a lock, with one, and with a holder that
 * sleeps past its lease. {@link io.holdfast.examples.demo.Demo} is the program.
 */
@NullMarked
package io.holdfast.examples.demo;

import org.jspecify.annotations.NullMarked;
