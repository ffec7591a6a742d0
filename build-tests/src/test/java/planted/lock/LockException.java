package planted.lock;

public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
