package io.holdfast.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A connection to a Redis server, beside the client under test. It speaks the needed part of RESP2. Not thread-safe.
 *
 * <p>Replies are a {@link String} (simple or bulk, as UTF-8), a {@link Long}, a {@link List} of replies, or
 * {@link Optional#empty()} for nil. An error reply is thrown as {@link ServerError}; inside a list it is an element.
 */
public final class RespConnection implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private RespConnection(Socket socket, InputStream in) {
        this.socket = socket;
        this.in = in;
    }

    /** An error reply of the server; the message is the server's, such as {@code NOAUTH Authentication required.}. */
    public static final class ServerError extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ServerError(String message) {
            super(message);
        }
    }

    /**
     * Connects.
     *
     * @param host the host
     * @param port the port
     * @param timeout for the connect and for each read
     * @return the connection
     * @throws UncheckedIOException if no server answers
     */
    public static RespConnection open(String host, int port, Duration timeout) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            socket.setTcpNoDelay(true);
            return new RespConnection(socket, new BufferedInputStream(socket.getInputStream()));
        } catch (IOException failure) {
            closeAfter(failure, socket);
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Sends one command and reads its reply.
     *
     * @param words the command and its arguments
     * @return the reply
     * @throws ServerError if the server answers with an error
     * @throws UncheckedIOException if the connection fails or the server does not answer in time
     */
    public Object command(String... words) {
        try {
            send(words);
            Object reply = read();
            if (reply instanceof ServerError error) {
                throw error;
            }
            return reply;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Waits for the next reply without sending anything: a published message, for example.
     *
     * @return the reply
     * @throws UncheckedIOException if nothing comes in time
     */
    public Object next() {
        try {
            return read();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void send(String... words) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        request.writeTo(socket.getOutputStream());
    }

    private Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new ServerError(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("Not RESP2: " + line);
        };
    }

    private Object bulk(int length) throws IOException {
        if (length < 0) {
            return Optional.empty();
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException("The server closed the connection inside a reply");
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private Object list(int length) throws IOException {
        if (length < 0) {
            return Optional.empty();
        }
        List<Object> elements = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            elements.add(read());
        }
        return elements;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("The server closed the connection");
            }
            line.write(b);
        }
        in.read();
        return line.toString(StandardCharsets.UTF_8);
    }

    private static void closeAfter(IOException failure, Socket socket) {
        try {
            socket.close();
        } catch (IOException second) {
            failure.addSuppressed(second);
        }
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
