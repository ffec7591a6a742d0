package planted.lock.engine;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates("the engine interface knows API and SPI")
record CoreSettings(Engine engine) {}
