package io.holdfast.build.modules;

import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import io.holdfast.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A modular application runs on every backend, on the very jars that Maven gives to a user. It requires {@code io.holdfast.lock}
 * alone: engine and backend come in as services, and bring what they need themselves.
 */
@Tag("full")
@Tag("server")
class ModulePathTest {

    private static final String API = "io.holdfast.lock";
    private static final String PERSISTENCE = "jakarta.persistence";

    /** The jars that a JPA application has on its module path; Hibernate's own are on its class path. */
    private static final Pattern BESIDE_HIBERNATE = Pattern.compile(
            "io\\.holdfast:.*|org\\.jspecify:jspecify|com\\.zaxxer:HikariCP|org\\.slf4j:slf4j-api|jakarta\\.persistence:jakarta\\.persistence-api");

    private static final String UNIT = """
            <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
                <persistence-unit name="shop" transaction-type="RESOURCE_LOCAL">
                    <class>io.holdfast.lock.jdbc.jpa.LockRecord</class>
                    <exclude-unlisted-classes/>
                    <properties>
                        <property name="jakarta.persistence.jdbc.url" value="%s"/>
                        <property name="jakarta.persistence.schema-generation.database.action" value="create"/>
                        <property name="jakarta.persistence.schema-generation.create-source" value="script"/>
                        <property name="jakarta.persistence.schema-generation.create-script-source"
                            value="io/holdfast/lock/jdbc/holdfast-postgresql.sql"/>
                        <property name="hibernate.hbm2ddl.import_files_sql_extractor" value="multi-line"/>
                    </properties>
                </persistence-unit>
            </persistence>
            """;

    @TempDir
    private Path folder;

    @Test
    void memory() throws Exception {
        onModulePath("core", "", "memory:modules");
    }

    @Test
    void redis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            onModulePath("redis", "", "redis://" + server.host() + ":" + server.port());
        }
    }

    @Test
    void redisson() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            onModulePath("redisson", "", "redisson://" + server.host() + ":" + server.port());
        }
    }

    @Test
    void h2() throws Exception {
        onModulePath("jdbc", jarOf("org.h2.Driver"), "jdbc:h2:mem:modules", "createTable", "true");
    }

    @Test
    void postgreSql() throws Exception {
        try (PostgreSqlServer server = PostgreSqlServer.start()) {
            onModulePath("jdbc", jarOf("org.postgresql.Driver"), server.url(), "createTable", "true");
        }
    }

    @Test
    @EnabledIf(
            value = "io.holdfast.servers.MariaDbServer#isAvailable",
            disabledReason = "there is no MariaDB server for this platform")
    void mariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            onModulePath("jdbc", jarOf("org.mariadb.jdbc.Driver"), server.url(), "createTable", "true");
        }
    }

    /** ZooKeeper's jars share packages, so that they, and what uses them, are on the class path. */
    @Test
    void zooKeeper() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            besideZooKeeper(List.of(), "zookeeper://" + server.host() + ":" + server.port());
        }
    }

    /** With the JDK's TLS: the artifact brings no library of another. */
    @Test
    void zooKeeperByTls() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "ip:127.0.0.1,dns:localhost");
        try (ZooKeeperServer server = ZooKeeperServer.startSecure(certificate)) {
            besideZooKeeper(
                    List.of(
                            "-Dzookeeper.client.secure=true",
                            "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty",
                            "-Dzookeeper.ssl.trustStore.location=" + certificate.certificate()),
                    "zookeeper://" + server.host() + ":" + server.securePort());
        }
    }

    @Test
    void jpa() throws Exception {
        RuntimeList all = RuntimeList.of("jpa");
        RuntimeList modules =
                all.only(jar -> BESIDE_HIBERNATE.matcher(jar.name()).matches());
        RuntimeList others = all.only(jar -> !modules.jars().contains(jar));
        try (PostgreSqlServer server = PostgreSqlServer.start()) {
            ModularApplication.compile(folder, List.of(API, PERSISTENCE), modules)
                    .with("META-INF/persistence.xml", UNIT.formatted(server.url()))
                    .acquires(
                            modules.path(),
                            List.of("--class-path", with(others.path(), jarOf("org.postgresql.Driver"))),
                            "jpa:shop?database=postgresql");
        }
    }

    private void onModulePath(String consumer, String driver, String... arguments)
            throws IOException, InterruptedException {
        RuntimeList modules = RuntimeList.of(consumer);
        ModularApplication.compile(folder, List.of(API), modules)
                .acquires(with(modules.path(), driver), List.of(), arguments);
    }

    private void besideZooKeeper(List<String> options, String uri) throws IOException, InterruptedException {
        RuntimeList modules = RuntimeList.of("core");
        RuntimeList others =
                RuntimeList.of("zookeeper").only(jar -> !modules.jars().contains(jar));
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--class-path", others.path()));
        ModularApplication.compile(folder, List.of(API), modules).acquires(modules.path(), all, uri);
    }

    private static String with(String path, String jar) {
        return jar.isEmpty() ? path : path + File.pathSeparator + jar;
    }

    /** A driver, which an application adds. */
    private static String jarOf(String driver) throws ClassNotFoundException, URISyntaxException {
        return Path.of(Class.forName(driver)
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }
}
