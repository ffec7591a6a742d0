package io.holdfast.lock.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a rule needs before it applies. If anything is missing, the test is skipped with the reason. There is no other way to
 * skip a rule, but for a test that finds out by itself that the system cannot tell.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Needs {

    /**
     * What the provider must declare.
     *
     * @return the capabilities, all of them
     */
    Capability[] value() default {};

    /**
     * What the harness must offer.
     *
     * @return the hooks, all of them
     */
    Hook[] hooks() default {};
}
