package io.holdfast.lock.redisson;

import io.holdfast.lock.tck.faults.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server whose clock can be set: a proxy changes the time in its replies to grants and renewals. The server's own clock stays,
 * so no lease ends by that.
 */
final class RedissonTimeShift {

    /** Texts of bulk strings. The time keeps its 16 digits, so its length in front of it stays right. */
    private static final Pattern MICROS = Pattern.compile(
            "(\\*5\r\n\\$7\r\ngranted\r\n\\$\\d+\r\n\\d+\r\n\\$16\r\n|\\*3\r\n\\$4\r\nheld\r\n\\$16\r\n)(\\d{16})\r\n");

    private volatile Duration shift = Duration.ZERO;

    RedissonTimeShift(TcpProxy proxy) {
        proxy.changeReplies(this::shifted);
    }

    void step(Duration by) {
        shift = shift.plus(by);
    }

    private byte[] shifted(byte[] replies) {
        Matcher times = MICROS.matcher(new String(replies, StandardCharsets.ISO_8859_1));
        long micros = shift.toNanos() / 1_000;
        return times.replaceAll(time ->
                        Matcher.quoteReplacement(time.group(1)) + (Long.parseLong(time.group(2)) + micros) + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
