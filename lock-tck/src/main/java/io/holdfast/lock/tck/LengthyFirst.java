package io.holdfast.lock.tck;

import java.util.Comparator;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;

/** Begins with the {@link Lengthy} tests, and leaves the order of the others as it is. */
final class LengthyFirst implements MethodOrderer {

    @Override
    public void orderMethods(MethodOrdererContext context) {
        Comparator<MethodDescriptor> order = Comparator.comparing(method -> !method.isAnnotated(Lengthy.class));
        context.getMethodDescriptors().sort(order);
    }
}
