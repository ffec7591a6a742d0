package planted.lock.spi;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates({"the SPI knows the API", "no package cycles"})
record CleverRequest(Engine engine) {}
