package io.holdfast.examples.lockfile;

import io.holdfast.lock.LockStoreException;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A directory of one machine with a file for each lock. Each step locks the file {@code mutex} by the operating system, which
 * also frees it when a process dies. Thread-safe.
 *
 * <p>The store's clock is that of the machine: setting it moves the end of the leases. Several machines cannot share the
 * directory, as their clocks differ.
 */
final class LockDirectory {

    /**
     * The operating system locks files for processes, not for threads: a thread that closes the file would take the lock from
     * another thread of its process.
     */
    private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path path;
    private volatile boolean closed;

    LockDirectory(Path path) {
        this.path = path;
    }

    /** Reads a record, and may change it, in one atomic step. */
    interface Step<T> {
        T on(LockFileRecord record, Instant now);
    }

    /** Runs a step. A file is replaced as a whole, so a process that dies in a step leaves no half of it. */
    <T> T update(String name, Step<T> step) {
        if (closed) {
            throw new LockStoreException("The provider of the lock files in " + path + " is closed");
        }
        THIS_PROCESS.lock();
        try (FileChannel mutex =
                FileChannel.open(path.resolve("mutex"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock(mutex);
            LockFileRecord record = read(file(name));
            T result = step.on(record, Instant.now());
            if (record.isChanged()) {
                write(record, file(name));
            }
            return result;
        } catch (IOException | RuntimeException failure) {
            throw new LockStoreException("The lock file of '" + name + "' in " + path + " failed: " + failure, failure);
        } finally {
            THIS_PROCESS.unlock();
        }
    }

    /**
     * Locks the file until it is closed. Not by {@link FileChannel#lock()}, which waits without end for a process that is
     * stopped, and which an interrupt ends.
     */
    private static void lock(FileChannel mutex) throws IOException {
        long start = System.nanoTime();
        while (mutex.tryLock() == null) {
            if (System.nanoTime() - start > LONGEST_WAIT_NANOS) {
                throw new IOException("another process has kept the directory locked for too long");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Uses the streams of java.io, which an interrupt does not close. */
    private static LockFileRecord read(Path file) throws IOException {
        LockFileRecord record = new LockFileRecord();
        if (Files.exists(file)) {
            try (Reader reader = new FileReader(file.toFile(), StandardCharsets.UTF_8)) {
                record.read(reader);
            }
        }
        return record;
    }

    private void write(LockFileRecord record, Path file) throws IOException {
        Path whole = path.resolve("next");
        try (Writer writer = new FileWriter(whole.toFile(), StandardCharsets.UTF_8)) {
            record.write(writer);
        }
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void close() {
        closed = true;
    }

    /** Named by the digest: file systems forbid some names, shorten others, and may not tell capitals from small letters. */
    Path file(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return path.resolve(HexFormat.of().formatHex(digest) + ".lock");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("Every Java platform has SHA-256", impossible);
        }
    }
}
