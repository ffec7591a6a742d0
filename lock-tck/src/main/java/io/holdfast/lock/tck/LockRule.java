package io.holdfast.lock.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Marks the test of one or more rules of {@code SPEC.md}. It runs on a separate thread, so that a provider that hangs and
 * swallows interrupts fails the test after two minutes, or after the time of its own {@code @Timeout}.
 */
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
