package io.holdfast.lock.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the rules of SPEC.md that a test of the engine proves: those that need virtual time or a store in trouble. */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
@interface LockRule {

    /** The numbers of the rules. */
    String[] value();
}
