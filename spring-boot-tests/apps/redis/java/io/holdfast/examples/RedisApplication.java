package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
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

    /** The renewal after two seconds finds the loss, long before the lease ends. */
    private static final LockOptions BRIEF = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(6));

    /**
     * Runs the application.
     *
     * @param args Spring's
     */
    public static void main(String[] args) {
        SpringApplication.run(RedisApplication.class, args).close();
    }

    // tag::first[]
    @Bean
    LockClient lockClient(@Value("${shop.locks}") String uri) {
        return LockClient.connect(uri); // Spring closes it when the application ends
    }
    // end::first[]

    @Bean
    ApplicationRunner shop(LockClient client, StringRedisTemplate redis, RedisConnectionFactory spring) {
        return arguments -> {
            System.out.println("Spring Boot " + SpringBootVersion.getVersion());
            redis.opsForValue().set("shop", "open");
            System.out.println("the shop is " + redis.opsForValue().get("shop") + " by "
                    + spring.getClass().getSimpleName());
            Sales.sellOne("the URI", client);
            Sales.sellTooSlowly(client);
            loseALock(client, redis);
        };
    }

    /** Somebody deletes the record of a held lock. */
    private static void loseALock(LockClient client, StringRedisTemplate redis) throws Exception {
        try (LockHandle held = client.lock("stock:43", BRIEF).acquire()) {
            String owner = client.holder(held.name()).orElseThrow().owner();
            redis.delete("holdfast:stock:43");
            Sales.awaitLoss(held, owner);
        } catch (LockLostException toldAgain) {
            System.out.println("told again: " + toldAgain.getMessage());
        }
    }
}
