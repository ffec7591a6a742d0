package io.holdfast.lock.tck;

import io.holdfast.lock.ApiStatus;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Marks the test of one or more rules of {@code SPEC.md}. It has a thread of its own, so that a provider that hangs, and swallows
 * interrupts, is reported after two minutes as what it is.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Test
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public @interface LockRule {

    /**
     * The numbers of the rules that the test proves.
     *
     * @return the numbers, such as {@code "3.2"}
     */
    String[] value();
}
