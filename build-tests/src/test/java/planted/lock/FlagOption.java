package planted.lock;

import io.holdfast.build.architecture.Violates;

@Violates("no boolean flags")
public record FlagOption(boolean fair) {}
