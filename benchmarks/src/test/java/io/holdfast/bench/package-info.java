/** Whether the benchmarks tell the truth: what they measure is no matter of tests. */
package io.holdfast.bench;
