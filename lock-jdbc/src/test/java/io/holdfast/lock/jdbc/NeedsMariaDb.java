package io.holdfast.lock.jdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that start a MariaDB server: its artifact is for one platform. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = "amd64",
        disabledReason = "no Maven artifact has a MariaDB server for this platform")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@interface NeedsMariaDb {}
