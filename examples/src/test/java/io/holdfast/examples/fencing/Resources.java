package io.holdfast.examples.fencing;

import io.holdfast.lock.jdbc.jpa.EntityGuard;
import io.holdfast.lock.redis.RedisFence;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import redis.clients.jedis.RedisClient;

/**
 * What a lock protects: rows of a database, by JDBC and by JPA, and a key of a Redis server.
 *
 * @param connection to the database, with auto-commit off
 * @param entities of the same database
 * @param entityGuard over the entities
 * @param redis the client of the server
 * @param redisFence over the client
 */
record Resources(
        Connection connection,
        EntityManagerFactory entities,
        EntityGuard entityGuard,
        RedisClient redis,
        RedisFence redisFence)
        implements AutoCloseable {

    static Resources open(String jdbcUrl, String redisUri) throws SQLException {
        Connection connection = DriverManager.getConnection(jdbcUrl);
        connection.setAutoCommit(false);
        EntityManagerFactory entities = new PersistenceConfiguration("stock")
                .managedClass(StockEntity.class)
                .property("jakarta.persistence.jdbc.url", jdbcUrl)
                .createEntityManagerFactory();
        RedisClient redis = RedisClient.create(redisUri);
        return new Resources(
                connection,
                entities,
                EntityGuard.over(entities),
                redis,
                RedisFence.over(redis).lockNamed(key -> PausedWriter.LOCK).build());
    }

    @Override
    public void close() throws SQLException {
        redis.close();
        entities.close();
        connection.close();
    }
}
