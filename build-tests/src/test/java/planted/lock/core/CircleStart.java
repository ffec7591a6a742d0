package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no circle of more than three types in the engine")
record CircleStart(CircleSecond next) {}
