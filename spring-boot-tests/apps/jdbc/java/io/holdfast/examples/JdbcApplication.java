package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.jdbc.JdbcLockProvider;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with a database, which has its locks there: by way of a URL, of its data source, and of JPA. */
@SpringBootApplication
// Where Spring Boot looks for entities. That of the locks is among them.
@AutoConfigurationPackage(basePackageClasses = {JdbcApplication.class, JpaLockProvider.class})
public class JdbcApplication {

    /**
     * Runs the application.
     *
     * @param args Spring's
     */
    public static void main(String[] args) {
        SpringApplication.run(JdbcApplication.class, args).close();
    }

    // tag::first[]
    @Bean
    LockClient overDataSource(DataSource dataSource) {
        return LockClient.builder(JdbcLockProvider.over(dataSource).build()).build();
    }
    // end::first[]

    @Bean
    LockClient overEntityManagerFactory(EntityManagerFactory factory) {
        return LockClient.builder(JpaLockProvider.over(factory).build()).build();
    }

    /** The table is there: Spring Boot has run the script. */
    @Bean
    LockClient onPostgreSql(@Value("${spring.datasource.url}") String url) {
        return LockClient.connect(url);
    }

    @Bean
    LockClient onMariaDb(@Value("${shop.mariadb}") String url) {
        return LockClient.builder(url).property("createTable", "true").build();
    }

    @Bean
    LockClient onH2() {
        return LockClient.builder("jdbc:h2:mem:locks")
                .property("createTable", "true")
                .build();
    }

    @Bean
    EntityGuard guard(EntityManagerFactory factory) {
        return EntityGuard.over(factory);
    }

    @Bean
    ApplicationRunner shop(Map<String, LockClient> clients, LockClient overDataSource, Rush rush, LateSale lateSale) {
        return arguments -> {
            System.out.println("Spring Boot " + SpringBootVersion.getVersion());
            for (Map.Entry<String, LockClient> client : clients.entrySet()) {
                Sales.sellOne(client.getKey(), client.getValue());
                Sales.sellTooSlowly(client.getValue());
            }
            System.out.println("sold in transactions: " + rush.run(overDataSource));
            lateSale.run(overDataSource);
        };
    }
}
