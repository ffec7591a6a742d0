package planted.lock;

import io.holdfast.build.architecture.Violates;

@Violates("exported classes are final")
public class OpenValue {}
