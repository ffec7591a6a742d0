package planted.lock.unmarked;

import io.holdfast.build.architecture.Violates;

@Violates("every package is null-marked")
record Unmarked() {}
