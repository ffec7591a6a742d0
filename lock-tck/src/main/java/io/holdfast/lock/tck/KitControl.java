package io.holdfast.lock.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Marks a test of the harness, not of the provider. A hook that does nothing, or clients that do not share a store, would make
 * rules pass or fail for the wrong reason.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Test
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@interface KitControl {}
