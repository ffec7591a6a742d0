package planted.lock;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates({"those who open a client know SPI and engine interface too", "no package cycles"})
record ConnectionUri(Engine engine) {}
