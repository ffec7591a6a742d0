package io.holdfast.examples.memcached;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A connection over which a test speaks the protocol word by word. */
final class MemcachedConsole implements AutoCloseable {

    private static final String VERSION = "VERSION ";
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final BufferedReader replies;
    private String version = "";

    private MemcachedConsole(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    static MemcachedConsole of(RunningMemcached server) {
        try {
            return new MemcachedConsole(new Socket(server.address().host(), server.port()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Sends lines, and returns all lines of the reply. The version is asked for behind them, so that their end is known. */
    List<String> say(String... lines) {
        try {
            String request = String.join("\r\n", lines) + "\r\nversion\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            List<String> reply = new ArrayList<>();
            String line = replies.readLine();
            for (; !line.startsWith(VERSION); line = replies.readLine()) {
                reply.add(line);
            }
            version = line.substring(VERSION.length());
            return reply;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The version that the server tells. */
    String version() {
        say();
        return version;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
