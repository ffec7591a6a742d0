package io.holdfast.build.architecture;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a planted class that breaks a rule on purpose, so that the rule is known to notice. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Violates {

    /**
     * Which rules it breaks.
     *
     * @return the names of the rules
     */
    String[] value();
}
