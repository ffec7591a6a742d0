package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code jpa:} URI and its properties, and what an error may show of them. */
class JpaUriTest {

    private static final String URL = "jakarta.persistence.jdbc.url";

    @ParameterizedTest
    @EnumSource
    void uriNamesTheUnitAndPassesOnPropertiesOfJpa(Strategy strategy) {
        try (LockClient client = LockClient.builder("jpa:l%6fcks?lease=7s&timeout=4s&strategy=" + strategy)
                .property(URL, Databases.SharedH2.URL)
                .build()) {
            try (LockHandle held = client.lock("a").tryAcquire().orElseThrow()) {
                assertThat(held.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(7));
                assertThat(client.holder("a")).isPresent();
            }
            assertThat(client.capabilities().fencing()).isEqualTo(Fencing.CLOCKED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jpa:locks?stratgy=optimistic",
                "jpa:locks?strategy=hopeful",
                "jpa:locks?table=a b",
                "jpa:locks?timeout=1ms",
                "jpa:locks?database=oracle",
                "jpa://locks",
                "jpa:without-locks",
            })
    void wrongSettingIsReportedWithWhatIsAllowed(String uri) {
        assertThatThrownBy(() -> LockClient.builder(uri.replace(" ", "%20"))
                        .property(URL, Databases.SharedH2.URL)
                        .build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageMatching("(?s).*(allowed|needed).*");
    }

    @Test
    void unknownUnitIsReported() {
        assertThatThrownBy(() -> LockClient.connect("jpa:no-such-unit"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith("There is no persistence unit 'no-such-unit'; allowed is the name of one")
                .hasMessageNotContaining("Hibernate");
    }

    @Test
    void missingDriverIsReported() {
        assertThatThrownBy(() -> LockClient.builder("jpa:locks")
                        .property("jakarta.persistence.jdbc.driver", "no.such.Driver")
                        .property(URL, Databases.SharedH2.URL)
                        .build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith("The persistence unit 'locks' could not be opened: ")
                .hasMessageContaining("no.such.Driver")
                .hasMessageNotContaining("ibernate");
    }

    @Test
    void unitThatCannotConnectIsNotAskedForADialect() {
        assertThatThrownBy(() -> LockClient.connect("jpa:locks"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("jakarta.persistence.jdbc.url")
                .hasMessageContaining("the database's driver")
                .hasMessageNotContaining("ialect");
    }

    @Test
    void createTableIsRefusedWithTheUnitsAlternative() {
        assertThatThrownBy(() -> LockClient.connect("jpa:locks?createTable=true"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("'createTable'", "shipped script", "create-script-source");
    }

    @Test
    void urlWithoutDriverIsReported() {
        assertThatThrownBy(() -> LockClient.builder("jpa:locks")
                        .property(URL, "jdbc:nobody:locks")
                        .build())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("there is no driver for its URL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/x?user=me&password=s3cr3t",
                "jdbc:postgresql://127.0.0.1:port/x?user=me&password=s3cr3t",
                "jdbc:postgresql://me:s3cr3t@127.0.0.1:1/x",
                "jdbc:h2:mem:x;USER=me;PASSWORD=s3cr3t;NO_SUCH_SETTING=1",
                "jdbc:h2:tcp://127.0.0.1:1/x;USER=me;PASSWORD=s3cr3t",
                "jdbc:nobody:s3cr3t",
            })
    void errorsShowNoPassword(String url) {
        Throwable failure = catchThrowable(() -> {
            try (LockClient client = LockClient.builder("jpa:locks")
                    .property(URL, url)
                    .property("jakarta.persistence.jdbc.password", "s3cr3t")
                    .build()) {
                client.holder("a");
            }
        });
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(failure).isInstanceOf(LockException.class);
        assertThat(trace.toString()).doesNotContain("s3cr3t");
    }

    /** Run in a separate JVM. */
    static final class Elsewhere {

        private Elsewhere() {}

        public static void main(String[] arguments) {
            try (LockClient client = LockClient.builder("jdbc:h2:mem:elsewhere")
                            .property("createTable", "true")
                            .property("poolWait", "30s")
                            .build();
                    LockHandle held = client.lock("a").tryAcquire().orElseThrow()) {
                System.out.println("held " + held.isHeld());
            }
            try (LockClient client = LockClient.connect("jpa:locks")) {
                System.out.println("opened " + client);
            } catch (LockConfigurationException missing) {
                System.out.println(missing.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"persistence-api", "hibernate-core"})
    void missingJpaJarIsReportedAndJdbcStillWorks(String jar, @TempDir Path folder) throws Exception {
        List<String> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains(jar))
                .toList();
        assertThat(classPath).isNotEmpty().noneMatch(entry -> entry.contains(jar));
        Path output = folder.resolve("output");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath.stream().collect(Collectors.joining(File.pathSeparator)),
                        Elsewhere.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
        } finally {
            child.destroyForcibly();
        }
        assertThat(java.nio.file.Files.readString(output))
                .startsWith("held true")
                .contains("add org.hibernate.orm:hibernate-core")
                .doesNotContain("\tat ");
    }
}
