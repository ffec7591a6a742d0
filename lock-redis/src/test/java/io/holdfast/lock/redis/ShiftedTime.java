package io.holdfast.lock.redis;

import io.holdfast.lock.tck.faults.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server whose clock can be set: a proxy changes the time in its replies to grants and renewals. The server's own clock stays,
 * so the test ends leases itself.
 */
final class ShiftedTime {

    /** The third number of a grant, or a renewal's only one. */
    private static final Pattern MICROS = Pattern.compile("(\r\n\\d+ \\d+ |\\A:)(\\d{16})( [01]\r\n|\r\n)");

    private volatile Duration shift = Duration.ZERO;

    ShiftedTime(TcpProxy proxy) {
        proxy.changeReplies(this::shifted);
    }

    void step(Duration by) {
        shift = shift.plus(by);
    }

    private byte[] shifted(byte[] replies) {
        Matcher times = MICROS.matcher(new String(replies, StandardCharsets.ISO_8859_1));
        long micros = shift.toNanos() / 1_000;
        return times.replaceAll(time -> time.group(1) + (Long.parseLong(time.group(2)) + micros) + time.group(3))
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
