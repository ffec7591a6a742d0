package io.holdfast.wrong;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A share of a list: each so-manieth element, from a first one on. All shares of a size together are the list, and no two have an
 * element in common.
 *
 * @param number which share, from 1
 * @param shares how many there are
 */
record MutantShare(int number, int shares) {

    private static final Pattern WORDS = Pattern.compile("(?:([1-9][0-9]{0,4})/)?([1-9][0-9]{0,4})");

    /** Reads {@code 2/10}, or {@code 10} for the first of ten; empty for anything else. */
    static Optional<MutantShare> parse(String text) {
        Matcher words = WORDS.matcher(text);
        if (!words.matches()) {
            return Optional.empty();
        }
        int number = words.group(1) == null ? 1 : Integer.parseInt(words.group(1));
        int shares = Integer.parseInt(words.group(2));
        return number <= shares ? Optional.of(new MutantShare(number, shares)) : Optional.empty();
    }

    <T> List<T> of(List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % shares == number - 1)
                .<T>mapToObj(all::get)
                .toList();
    }
}
