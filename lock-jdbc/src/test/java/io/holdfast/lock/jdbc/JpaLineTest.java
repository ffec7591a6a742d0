package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import org.hibernate.Version;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lock by JPA from grant to end, with each version of Hibernate that the build runs. */
@Tag("server")
class JpaLineTest {

    @Test
    void hibernateHasTheVersionOfTheLine() {
        String version = System.getProperty("line.version", Version.getVersionString());
        assertThat(Version.getVersionString()).isEqualTo(version);
        assertThat(Version.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith("hibernate-core-" + version + ".jar");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void providerGrantsRenewsAndReleases(String url, Strategy strategy) {
        try (JpaLockProvider provider = JpaUnits.at(url, strategy)) {
            LifeOfALock.byTheProvider(provider, url);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void clientsHandOverAndLoseALock(String url, Strategy strategy) throws InterruptedException {
        LifeOfALock.byClients(() -> JpaUnits.at(url, strategy), url);
    }
}
