package io.holdfast.lock;

import java.util.Objects;

/** Which lock names are allowed: any valid Unicode text of 1 to {@value #MAX_LENGTH} characters, case-sensitive. */
final class LockNames {

    /** The longest lock name: {@value} characters (UTF-16 code units). */
    static final int MAX_LENGTH = DistributedLock.MAX_NAME_LENGTH;

    private static final int SHOWN_PREFIX = 40;

    private LockNames() {}

    /**
     * Returns a name if it is allowed.
     *
     * @param name the name of a lock
     * @return the same name
     * @throws LockConfigurationException if the name is empty, too long or not valid Unicode
     */
    static String requireValid(String name) {
        Objects.requireNonNull(name, "name");
        return requireText("lock name", name, MAX_LENGTH);
    }

    /**
     * Refuses what no store could keep apart from other names. An unpaired surrogate has no UTF-8 form: encoders replace it,
     * so two different names would become one.
     */
    static String requireText(String what, String value, int maxLength) {
        if (value.isEmpty()) {
            throw new LockConfigurationException("The " + what + " is empty" + allowed(maxLength));
        }
        if (value.length() > maxLength) {
            throw new LockConfigurationException(
                    "The " + what + " that starts with '" + value.substring(0, SHOWN_PREFIX) + "' has " + value.length()
                            + " characters" + allowed(maxLength));
        }
        int unpaired = indexOfUnpairedSurrogate(value);
        if (unpaired >= 0) {
            throw new LockConfigurationException(
                    "The " + what + " has an unpaired surrogate at index " + unpaired + allowed(maxLength));
        }
        return value;
    }

    private static String allowed(int maxLength) {
        return "; allowed is any valid Unicode text of 1 to " + maxLength + " characters";
    }

    private static int indexOfUnpairedSurrogate(String value) {
        int index = 0;
        while (index < value.length()) {
            int codePoint = value.codePointAt(index);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return index;
            }
            index += Character.charCount(codePoint);
        }
        return -1;
    }
}
