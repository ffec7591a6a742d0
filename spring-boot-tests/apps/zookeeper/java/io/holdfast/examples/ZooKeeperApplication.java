package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application that has its locks in ZooKeeper. */
@SpringBootApplication
public class ZooKeeperApplication {

    /**
     * Runs the application.
     *
     * @param args Spring's
     */
    public static void main(String[] args) {
        SpringApplication.run(ZooKeeperApplication.class, args).close();
    }

    @Bean
    LockClient lockClient(@Value("${shop.locks}") String uri) {
        return LockClient.connect(uri);
    }

    @Bean
    ApplicationRunner shop(LockClient client) {
        return arguments -> {
            System.out.println("Spring Boot " + SpringBootVersion.getVersion());
            Sales.sellOne("the URI", client);
            Sales.sellTooSlowly(client);
        };
    }
}
