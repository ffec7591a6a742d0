package io.holdfast.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * The limits in Redis: a socket for each thread, the requests written out beforehand. {@code SET NX PX} and one script that
 * compares and deletes for a lock that is free; {@code BLPOP} and {@code LPUSH} for one that is waited for.
 */
final class BareRedis implements Locks {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final String LEASE_MILLIS = "30000";

    private final Endpoint server;
    private final boolean queue;
    private final List<Wire> wires = new ArrayList<>();

    private BareRedis(Endpoint server, boolean queue) {
        this.server = server;
        this.queue = queue;
    }

    /** The limit of a lock that is free. */
    static BareRedis set(String address) {
        return new BareRedis(Endpoint.of(address), false);
    }

    /** The limit of a lock that is waited for: a hand-over by the server's own queue. */
    static BareRedis queue(String address) {
        return new BareRedis(Endpoint.of(address), true);
    }

    @Override
    public synchronized Section section(String lock) throws IOException {
        Wire wire = new Wire(server);
        wires.add(wire);
        String key = "bare:" + lock;
        if (queue) {
            // One of all threads of all processes makes the lock.
            if (wire.call(request("SET", key + ":made", "x", "NX"))) {
                wire.call(request("LPUSH", key, "x"));
            }
            return section(wire, request("BLPOP", key, "0"), request("LPUSH", key, "x"));
        }
        String value = ProcessHandle.current().pid() + "-" + wires.size();
        wire.call(request("SCRIPT", "LOAD", COMPARE_AND_DELETE));
        return section(
                wire,
                request("SET", key, value, "NX", "PX", LEASE_MILLIS),
                request("EVALSHA", sha1(COMPARE_AND_DELETE), "1", key, value));
    }

    private static Section section(Wire wire, byte[] entering, byte[] leaving) {
        return new Section() {
            @Override
            public OptionalLong enter() throws IOException {
                if (!wire.call(entering)) {
                    throw new IOException("The lock was not free");
                }
                return OptionalLong.empty();
            }

            @Override
            public void leave() throws IOException {
                wire.call(leaving);
            }
        };
    }

    private static String sha1(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(script.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] request(String... words) {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            request.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        return request.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public synchronized void close() throws IOException {
        for (Wire wire : wires) {
            wire.close();
        }
    }

    /** One connection. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;

        Wire(Endpoint server) throws IOException {
            socket = new Socket(server.host(), server.port());
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            in = new BufferedInputStream(socket.getInputStream());
        }

        /** Returns whether there was an answer other than nil. */
        boolean call(byte[] request) throws IOException {
            out.write(request);
            return skipReply();
        }

        private boolean skipReply() throws IOException {
            int kind = next();
            StringBuilder line = new StringBuilder();
            for (int c = next(); c != '\r'; c = next()) {
                line.append((char) c);
            }
            next();
            if (kind == '-') {
                throw new IOException(line.toString());
            }
            int number = kind == '$' || kind == '*' ? Integer.parseInt(line.toString()) : 0;
            if (kind == '$' && number >= 0) {
                in.skipNBytes(number + 2L);
            }
            for (int i = 0; kind == '*' && i < number; i++) {
                skipReply();
            }
            return number >= 0;
        }

        private int next() throws IOException {
            int c = in.read();
            if (c < 0) {
                throw new EOFException();
            }
            return c;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
