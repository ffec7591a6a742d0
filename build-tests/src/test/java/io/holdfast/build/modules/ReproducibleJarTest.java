package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class ReproducibleJarTest {

    @Test
    void noJarRemembersWhenItWasMade() throws IOException {
        LocalDateTime stamp =
                OffsetDateTime.parse(System.getProperty("holdfast.timestamp")).toLocalDateTime();

        for (Path jar : jars()) {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                List<? extends ZipEntry> entries = zip.stream().toList();

                assertThat(entries)
                        .as(jar.toString())
                        .allMatch(entry -> entry.getTimeLocal().equals(stamp));
            }
        }
    }

    private static List<Path> jars() {
        return Checkout.files("target", ".jar").stream()
                .filter(file -> file.getParent().endsWith("target"))
                .toList();
    }
}
