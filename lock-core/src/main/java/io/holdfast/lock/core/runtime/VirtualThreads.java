package io.holdfast.lock.core.runtime;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Tells virtual threads from others on the Java versions that have them; the code itself is for Java 17. */
public final class VirtualThreads {

    private static final @Nullable Method IS_VIRTUAL = find();

    private VirtualThreads() {}

    private static @Nullable Method find() {
        try {
            return Thread.class.getMethod("isVirtual");
        } catch (NoSuchMethodException java17) {
            return null;
        }
    }

    /** Whether the calling thread is virtual. */
    public static boolean isCurrent() {
        Method isVirtual = IS_VIRTUAL;
        if (isVirtual == null) {
            return false;
        }
        try {
            return (boolean) isVirtual.invoke(Thread.currentThread());
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("Thread.isVirtual() is public and throws nothing", impossible);
        }
    }
}
