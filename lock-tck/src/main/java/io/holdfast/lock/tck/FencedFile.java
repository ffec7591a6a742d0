package io.holdfast.lock.tck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number in a file, updated by several processes: the resource that their lock protects. It refuses a token below its floor,
 * also for reading (rules 6.4 and 6.6).
 *
 * <p>Each operation is one step, by a lock of the file. What lies between reading and writing is protected by the token alone.
 */
final class FencedFile {

    /** A file is locked for a process: its threads take turns. */
    private static final ReentrantLock TURN = new ReentrantLock();

    private final Path path;

    FencedFile(Path path) {
        this.path = path;
    }

    /** The number and the highest token. */
    private record State(long floor, long number) {}

    /** Operates on the state: returns the new one, or the same to refuse. */
    private interface Step {
        State apply(State state);
    }

    /** Reads the number; empty if the token is refused. */
    OptionalLong read(long token) throws IOException {
        State after = step(state -> token < state.floor() ? state : new State(token, state.number()));
        return after.floor() == token ? OptionalLong.of(after.number()) : OptionalLong.empty();
    }

    /** Writes the number. Returns false if the token is refused. */
    boolean write(long token, long number) throws IOException {
        return step(state -> token < state.floor() ? state : new State(token, number))
                        .floor()
                == token;
    }

    /** The number, for a look at the end. */
    long number() throws IOException {
        return step(state -> state).number();
    }

    private State step(Step step) throws IOException {
        TURN.lock();
        try {
            return stepInTurn(step);
        } finally {
            TURN.unlock();
        }
    }

    private State stepInTurn(Step step) throws IOException {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock alone = file.lock();
            ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {
                // Until all is read, or there is nothing yet.
            }
            bytes.clear();
            State after = step.apply(new State(bytes.getLong(), bytes.getLong()));
            bytes.clear();
            bytes.putLong(after.floor()).putLong(after.number()).flip();
            file.write(bytes, 0);
            alone.release();
            return after;
        }
    }
}
