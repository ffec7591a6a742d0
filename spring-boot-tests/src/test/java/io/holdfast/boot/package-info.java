/** Applications of Spring Boot, on the class paths of their users. */
@NullMarked
package io.holdfast.boot;

import org.jspecify.annotations.NullMarked;
