package io.holdfast.parts;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the rules of SPEC.md that a test outside the kit proves: with virtual time, or with access to the server.
 */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Proves {

    /**
     * The numbers of the rules.
     *
     * @return the numbers, such as {@code "3.2"}
     */
    String[] value();
}
