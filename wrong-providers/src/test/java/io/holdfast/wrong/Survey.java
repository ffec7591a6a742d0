package io.holdfast.wrong;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Runs the whole kit over wrong providers, and prints which tests break for each: for the table of {@link Kill}s. */
final class Survey {

    private Survey() {}

    /**
     * Surveys the constants of enums.
     *
     * @param arguments the names of enums that implement {@link WrongProvider}, each perhaps with a {@code #} and the names of
     *     some constants
     */
    public static void main(String[] arguments) throws ClassNotFoundException {
        int accepted = 0;
        int all = 0;
        for (String argument : arguments) {
            String[] parts = argument.split("#", 2);
            for (Object constant : Class.forName(parts[0]).getEnumConstants()) {
                WrongProvider wrong = (WrongProvider) constant;
                if (parts.length == 1 || Arrays.asList(parts[1].split(",", -1)).contains(wrong.name())) {
                    all++;
                    accepted += isRejected(wrong) ? 0 : 1;
                }
            }
        }
        System.out.println(all + " wrong providers, " + accepted + " accepted");
        System.exit(accepted);
    }

    private static boolean isRejected(WrongProvider wrong) {
        for (Class<?> level : List.of(SuspectTck.OfProvider.class, SuspectTck.OfClient.class)) {
            Map<String, String> broken = KitRuns.broken(level, wrong::harness);
            broken.forEach((test, message) -> System.out.println(
                    "  " + wrong.name() + " " + level.getSimpleName() + " " + test + ": " + message));
            if (!broken.isEmpty()) {
                System.out.println("rejected " + wrong.name());
                return true;
            }
        }
        System.out.println("ACCEPTED " + wrong.name());
        return false;
    }
}
