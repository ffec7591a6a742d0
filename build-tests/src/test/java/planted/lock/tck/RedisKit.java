package planted.lock.tck;

import io.holdfast.build.architecture.Violates;
import planted.lock.redis.RedisLockProvider;

@Violates("the kit knows no backend")
record RedisKit(RedisLockProvider provider) {}
