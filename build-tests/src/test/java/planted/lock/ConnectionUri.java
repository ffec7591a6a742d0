package planted.lock;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates({"the entry points of the API know SPI and engine interface too", "no package cycles"})
record ConnectionUri(Engine engine) {}
