package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no circle of more than three types in the engine")
record CircleLast(Nested nested) {
    /** Closes the circle: what is nested belongs to the type around it. */
    record Nested(CircleStart start) {}
}
