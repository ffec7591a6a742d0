package io.holdfast.examples.fencing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The rule of SPEC.md that a test proves. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface LockRule {

    String[] value();
}
