package io.holdfast.lock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How far a public type may still change between releases. */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ApiStatus {

    /**
     * The promise that this type makes.
     *
     * @return the level
     */
    Level value();

    /** The levels of promise. */
    enum Level {
        /** Changes only in a major release. */
        STABLE,
        /** May change in any minor release; the changelog names each change. */
        EXPERIMENTAL
    }
}
