package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application that uses Redis through Spring, and has its locks there, too. */
@SpringBootApplication
public class RedisApplication {

    /**
     * Runs the application.
     *
     * @param args Spring's
     */
    public static void main(String[] args) {
        SpringApplication.run(RedisApplication.class, args).close();
    }

    @Bean
    LockClient lockClient(@Value("${shop.locks}") String uri) {
        return LockClient.connect(uri);
    }

    @Bean
    ApplicationRunner shop(LockClient client, StringRedisTemplate redis, RedisConnectionFactory spring) {
        return arguments -> {
            System.out.println("Spring Boot " + SpringBootVersion.getVersion());
            redis.opsForValue().set("shop", "open");
            System.out.println("the shop is " + redis.opsForValue().get("shop") + " by "
                    + spring.getClass().getSimpleName());
            Sales.sellOne("the URI", client);
        };
    }
}
