package planted.lock.redis;

import io.holdfast.build.architecture.Violates;
import planted.lock.core.Engine;

@Violates("a backend knows API, SPI and its own client")
record EngineAwareClaim(Engine engine) {}
