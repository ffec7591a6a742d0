package io.holdfast.parts;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/** Begins with the runs of the kit: they take the longest, and a module should not end with one of them alone. */
public final class KitsFirst implements ClassOrderer {

    /** For JUnit. */
    public KitsFirst() {}

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparing(each -> !isKit(each)));
    }

    private static boolean isKit(ClassDescriptor test) {
        return test.getTestClass().getSimpleName().endsWith("TckTest");
    }
}
