package planted.lock;

import io.holdfast.build.architecture.Violates;
import java.util.concurrent.TimeUnit;

@Violates("time is a Duration")
public record UnitOption(long amount, TimeUnit unit) {}
