package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.util.logging.Logger;

@Violates("the system logger is the only logger")
record JulEngine(Logger logger) {}
