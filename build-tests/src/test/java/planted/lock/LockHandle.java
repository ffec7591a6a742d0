package planted.lock;

@ApiStatus
public interface LockHandle {}
