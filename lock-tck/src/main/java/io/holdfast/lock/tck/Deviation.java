package io.holdfast.lock.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares, on the vendor's test class, that the provider knowingly breaks a rule. Its tests still run: one that fails is
 * reported as a deviation and does not fail the build, and if none of them fails, the declaration is out of date and the class
 * fails. The safety rules of {@code SPEC.md} allow no deviation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Deviation.All.class)
public @interface Deviation {

    /**
     * The rule.
     *
     * @return its number, such as {@code "7.5"}
     */
    String rule();

    /**
     * Why the provider cannot keep it.
     *
     * @return one sentence
     */
    String reason();

    /**
     * Where users read of it: the backend's page, or an issue.
     *
     * @return the address
     */
    String link();

    /** Several deviations of one class. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {

        /**
         * The deviations.
         *
         * @return one for each rule
         */
        Deviation[] value();
    }
}
