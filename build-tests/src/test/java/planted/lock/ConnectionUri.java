package planted.lock;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates({"the entry points of the API know the SPI too, and nothing else", "no package cycles"})
record ConnectionUri(Engine engine) {}
