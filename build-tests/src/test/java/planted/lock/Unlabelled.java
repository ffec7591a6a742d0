package planted.lock;

import io.holdfast.build.architecture.Violates;

@Violates("every public type has an API status")
public record Unlabelled() {}
