package planted.lock;

public interface LockHandle {}
