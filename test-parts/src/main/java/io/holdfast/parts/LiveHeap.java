package io.holdfast.parts;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;

/** The objects of this JVM that can be reached. What other tests do at the same time counts as well. */
public final class LiveHeap {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    private LiveHeap() {}

    /**
     * Measures what keeping an object costs, with all that it alone leads to.
     *
     * @param count how many to keep: so many that all else does not matter
     * @param made makes an object
     * @return the bytes for each
     */
    public static long bytesForEach(int count, Supplier<?> made) {
        Object[] kept = new Object[count];
        long before = bytes();
        IntStream.range(0, count).forEach(i -> kept[i] = made.get());
        return (bytes() - before) / count;
    }

    private static long bytes() {
        try {
            // Collects what cannot be reached before it counts.
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Matcher total = TOTAL.matcher(histogram);
            if (!total.find()) {
                throw new IllegalStateException("No total in " + histogram);
            }
            return Long.parseLong(total.group(1));
        } catch (JMException missing) {
            throw new IllegalStateException("This JVM counts no objects", missing);
        }
    }
}
