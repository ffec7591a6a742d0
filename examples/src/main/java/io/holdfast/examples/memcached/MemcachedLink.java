package io.holdfast.examples.memcached;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection to a memcached server, and the few commands of its text protocol that locks need. After an {@link IOException}
 * it is of no use any more. Not thread-safe.
 */
final class MemcachedLink implements AutoCloseable {

    /** From here on memcached takes an expiry for a date. */
    private static final long LONGEST_RELATIVE_SECONDS = TimeUnit.DAYS.toSeconds(30);

    /**
     * An item of n seconds lives longer than n - 3: the server counts whole seconds, its timer advances the count a little less
     * often than once in a second, so that the count may be two seconds behind, and the timer of a busy server is late. One that
     * is late by more than a second ends items too early.
     */
    private static final long ROUNDED_AWAY_SECONDS = 3;

    private static final String EXPIRED_AT_ONCE = "-1";
    private static final int LONGEST_REPLY = 64 * 1024;
    private static final Pattern VALUE = Pattern.compile("VALUE (\\S+) [0-9]+ ([0-9]{1,5}) ([0-9]{1,18})");
    private static final String STORED = "STORED";
    private static final String END = "END";

    private final Socket socket = new Socket();
    private byte[] received = new byte[1024];
    private int from;
    private int to;
    private long deadline;
    private boolean answered;

    /**
     * Connects.
     *
     * @throws IOException if that fails, or takes too long
     */
    static MemcachedLink to(InetSocketAddress address, long deadline) throws IOException {
        MemcachedLink link = new MemcachedLink();
        try {
            link.socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            link.begin(deadline);
            link.socket.connect(address, link.millisLeft());
            return link;
        } catch (IOException | RuntimeException failure) {
            link.close();
            throw failure;
        }
    }

    /** Begins a call that has to be over by a reading of {@link System#nanoTime()}. */
    void begin(long newDeadline) {
        deadline = newDeadline;
        answered = false;
    }

    /** Whether the server has answered a request of this call. */
    boolean hasAnswered() {
        return answered;
    }

    /** Whether the server has added an item, and what it has now under the key. */
    record Added(boolean stored, Optional<MemcachedItem> item) {}

    /** Adds an item if there is none, and reads what is there then: two commands, one round trip. */
    Added addAndGet(String key, String value, Duration life) throws IOException {
        String exptime = exptime(life);
        send("add " + key + " 0 " + exptime + " " + value.length() + "\r\n" + value + "\r\ngets " + key + "\r\n");
        boolean stored = oneOf(STORED, "NOT_STORED").equals(STORED);
        return new Added(stored, item(key));
    }

    /** Reads an item. */
    Optional<MemcachedItem> get(String key) throws IOException {
        send("gets " + key + "\r\n");
        return item(key);
    }

    /** Replaces an item if nobody has written it since it was read. */
    boolean replace(String key, MemcachedItem old, String value, Duration life) throws IOException {
        return cas(key, old, value, exptime(life));
    }

    /**
     * Removes an item if nobody has written it since it was read: {@code delete} cannot compare, so the item is replaced by one
     * that has expired when it is written.
     */
    boolean remove(String key, MemcachedItem old) throws IOException {
        return cas(key, old, "", EXPIRED_AT_ONCE);
    }

    private boolean cas(String key, MemcachedItem old, String value, String exptime) throws IOException {
        send("cas " + key + " 0 " + exptime + " " + value.length() + " " + old.unique() + "\r\n" + value + "\r\n");
        return oneOf(STORED, "EXISTS", "NOT_FOUND").equals(STORED);
    }

    /** The shortest expiry of which the item certainly lives for some time. */
    private String exptime(Duration life) throws IOException {
        long seconds = life.plusMillis(999).toSeconds() + ROUNDED_AWAY_SECONDS;
        return Long.toString(seconds <= LONGEST_RELATIVE_SECONDS ? seconds : time() + seconds);
    }

    /** What time the server has, by the clock that also ends its items. */
    private long time() throws IOException {
        send("stats\r\n");
        long time = -1;
        for (String line = line(); !line.equals(END); line = line()) {
            String[] stat = line.split(" ", -1);
            if (stat.length != 3 || !stat[0].equals("STAT")) {
                // Values of some statistics have spaces, but none is needed here.
                requireNoError(line);
            } else if (stat[1].equals("time")) {
                time = Long.parseLong(stat[2]);
            }
        }
        if (time < 0) {
            throw new IOException("memcached does not tell its time");
        }
        return time;
    }

    private Optional<MemcachedItem> item(String key) throws IOException {
        String line = line();
        if (line.equals(END)) {
            return Optional.empty();
        }
        Matcher head = VALUE.matcher(line);
        if (!head.matches() || !head.group(1).equals(key)) {
            throw unexpected(line);
        }
        long unique = Long.parseLong(head.group(3));
        if (unique == 0) {
            throw new IOException("memcached runs without cas (option -C), so it cannot keep locks");
        }
        String value = text(Integer.parseInt(head.group(2)));
        oneOf("");
        oneOf(END);
        return Optional.of(new MemcachedItem(value, unique));
    }

    private String oneOf(String... expected) throws IOException {
        String line = line();
        if (!Arrays.asList(expected).contains(line)) {
            throw unexpected(line);
        }
        return line;
    }

    private static void requireNoError(String line) throws IOException {
        if (!line.startsWith("STAT ")) {
            throw unexpected(line);
        }
    }

    private static IOException unexpected(String line) {
        return new IOException("memcached answered '" + line + "'");
    }

    /** Never blocks: the server has answered all before it, so it fits into the buffer of the socket. */
    private void send(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private String line() throws IOException {
        int end = from;
        while (true) {
            for (; end + 1 < to; end++) {
                if (received[end] == '\r' && received[end + 1] == '\n') {
                    String line = taken(end - from);
                    from += 2;
                    answered = true;
                    return line;
                }
            }
            int scanned = end - from;
            receive();
            end = from + scanned;
        }
    }

    private String text(int length) throws IOException {
        while (to - from < length) {
            receive();
        }
        return taken(length);
    }

    private String taken(int length) {
        String text = new String(received, from, length, StandardCharsets.ISO_8859_1);
        from += length;
        return text;
    }

    /** Appends what has arrived to what was received. */
    private void receive() throws IOException {
        if (to == received.length) {
            byte[] room = from > 0 ? received : new byte[2 * received.length];
            if (room.length > LONGEST_REPLY) {
                throw new IOException("memcached sends more than was asked for");
            }
            System.arraycopy(received, from, room, 0, to - from);
            received = room;
            to -= from;
            from = 0;
        }
        socket.setSoTimeout(millisLeft());
        int count = socket.getInputStream().read(received, to, received.length - to);
        if (count < 0) {
            throw new IOException("memcached has closed the connection");
        }
        to += count;
    }

    private int millisLeft() throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException("memcached did not answer in time");
        }
        return (int) left;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing is left to be done with it.
        }
    }
}
