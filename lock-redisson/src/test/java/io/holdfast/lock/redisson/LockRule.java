package io.holdfast.lock.redisson;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the rules of SPEC.md that a test of this backend proves beside the kit: those that need a look into the server, or a server in trouble. */
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
@interface LockRule {

    /** The numbers of the rules. */
    String[] value();
}
