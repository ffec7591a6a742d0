package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The application's persistence unit: what the locks need of it, and what they leave alone. */
@Tag("server")
class JpaUnitTest {

    private final String name = "name-" + UUID.randomUUID();

    /** Even on a shared connection: until the application writes something, it looks like a new one. */
    @Proves("1.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void lockAcquiredInsideATransactionOutlivesItsRollback(String url, Strategy strategy) throws SQLException {
        try (Connection bound = Databases.connect(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", TransactionsTest.binding(bound));
                JpaLockProvider provider =
                        JpaLockProvider.over(factory).strategy(strategy).build();
                JdbcLockProvider elsewhere = Databases.at(url);
                EntityManager application = factory.createEntityManager()) {
            application.getTransaction().begin();
            application.createNativeQuery("SELECT count(*) FROM holdfast_lock").getSingleResult();
            assertThat(bound.getAutoCommit()).isFalse();
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            application.getTransaction().rollback();
            assertThat(TestClaim.once(elsewhere, name).granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
            assertThat(elsewhere.holder(name)).isEmpty();
        }
    }

    static DataSource switched(AtomicReference<DataSource> current) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(current.get(), arguments));
    }

    private int count(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM jpa_bought WHERE name = '" + name + "'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Proves("1.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void connectionBoundToATransactionIsRefusedAndLeftAlone(String url) throws SQLException {
        try (HikariDataSource pool = JpaUnits.pool(url);
                Connection transaction = Databases.connect(url);
                Statement statement = transaction.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS jpa_bought (name VARCHAR(100))");
            AtomicReference<DataSource> current = new AtomicReference<>(pool);
            try (EntityManagerFactory factory = JpaUnits.opened("locks", switched(current));
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                transaction.setAutoCommit(false);
                statement.execute("INSERT INTO jpa_bought (name) VALUES ('" + name + "')");
                current.set(TransactionsTest.binding(transaction));
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageStartingWith("The given persistence unit: ")
                        .hasMessageContaining("in a transaction of the application");
                assertThat(transaction.getNetworkTimeout()).isZero();
                current.set(pool);
                assertThat(count(statement)).isEqualTo(1);
                transaction.rollback();
                transaction.setAutoCommit(true);
                assertThat(TestClaim.once(provider, name).granted()).isTrue();
            }
        }
        assertThat(Databases.ask(url, "SELECT count(*) FROM jpa_bought WHERE name = '" + name + "'"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void poolWithAutocommitOffIsAccepted(String url, Strategy strategy) {
        try (HikariDataSource pool = JpaUnits.pool(url)) {
            pool.setAutoCommit(false);
            try (EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                    JpaLockProvider provider =
                            JpaLockProvider.over(factory).strategy(strategy).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                assertThat(TestClaim.once(provider, name).granted()).isFalse();
                assertThat(holder.held()).isTrue();
                assertThat(holder.released()).isTrue();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }

    @Proves("9.6")
    @Test
    void givenFactoryIsLeftOpen() {
        EntityManagerFactory factory = JpaUnits.factory(Databases.SharedH2.URL);
        JpaLockProvider provider = JpaLockProvider.over(factory).build();
        provider.close();
        assertThat(factory.isOpen()).isTrue();
        assertThatThrownBy(() -> provider.holder(name))
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("The given persistence unit: holder of lock '" + name + "' failed: ")
                .hasMessageContaining("closed");
    }

    @ParameterizedTest
    @EnumSource
    void unitOfAnApplicationHoldsLocksInItsOwnTable(Strategy strategy) {
        String url = Databases.h2();
        Databases.run(url, "CREATE SCHEMA shop");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("shop", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory)
                        .table("shop.shop_lock")
                        .strategy(strategy)
                        .build();
                JdbcLockProvider jdbc = Databases.at(url, "table", "shop.shop_lock", "createTable", "true")) {
            assertThat(jdbc.holder(name)).isEmpty();
            Sale.Curious.SEEN.clear();
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            assertThat(TestClaim.once(jdbc, name).granted()).isFalse();
            sell(factory);
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
            TestClaim next = TestClaim.once(provider, name);
            long later = next.token();
            assertThat(later).isGreaterThan(token);
            // Only a takeover writes by the entity itself.
            Databases.run(url, "UPDATE shop.shop_lock SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND");
            assertThat(TestClaim.once(provider, name).token()).isGreaterThan(later);
            assertThat(Sale.Curious.SEEN)
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(seen).isInstanceOf(Sale.class));
        }
    }

    private static void sell(EntityManagerFactory factory) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            Sale sale = new Sale("bread");
            manager.persist(sale);
            manager.getTransaction().commit();
            assertThat(sale.id()).isNotNull();
            assertThat(sale.item()).isEqualTo("bread");
        }
    }

    @Test
    void unitCreatesTheSchemaByTheShippedScript() {
        String h2 = Databases.h2();
        String postgreSql = Databases.newPostgreSql();
        // The table exists already; now the unit creates it.
        Databases.run(postgreSql, "DROP TABLE holdfast_lock", "DROP SEQUENCE holdfast_lock_token");
        assertCreatesSchema(h2, "holdfast-h2.sql");
        assertCreatesSchema(postgreSql, "holdfast-postgresql.sql");
    }

    private void assertCreatesSchema(String url, String script) {
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                        "locks",
                        Map.of(
                                "jakarta.persistence.nonJtaDataSource",
                                pool,
                                "jakarta.persistence.schema-generation.database.action",
                                "create",
                                "jakarta.persistence.schema-generation.create-source",
                                "script",
                                "jakarta.persistence.schema-generation.create-script-source",
                                "io/holdfast/lock/jdbc/" + script,
                                "hibernate.hbm2ddl.import_files_sql_extractor",
                                "multi-line"));
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(holder.released()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void shippedTableFitsTheEntity(String url) {
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                        "locks",
                        Map.of("jakarta.persistence.nonJtaDataSource", pool, "hibernate.hbm2ddl.auto", "validate"))) {
            assertThat(factory.isOpen()).isTrue();
        }
    }

    static EntityManagerFactory withMethod(EntityManagerFactory real, String methodName, Callable<?> other) {
        return (EntityManagerFactory) Proxy.newProxyInstance(
                EntityManagerFactory.class.getClassLoader(),
                new Class<?>[] {EntityManagerFactory.class},
                (proxy, method, arguments) ->
                        method.getName().equals(methodName) ? other.call() : method.invoke(real, arguments));
    }

    @Test
    void unitForJtaIsRefused() {
        try (EntityManagerFactory jta = Persistence.createEntityManagerFactory(
                "locks",
                Map.of(
                        "hibernate.dialect",
                        "org.hibernate.dialect.H2Dialect",
                        "jakarta.persistence.transactionType",
                        "JTA"))) {
            assertThatThrownBy(() -> JpaLockProvider.over(jta).build())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("JTA")
                    .hasMessageContaining("RESOURCE_LOCAL");
        }
    }

    @Test
    void unitOfAnotherPersistenceProviderIsRefused() {
        EntityManagerFactory another = withMethod(JpaUnits.factory(Databases.SharedH2.URL), "unwrap", () -> {
            throw new PersistenceException("I am no such thing");
        });
        assertThatThrownBy(() -> JpaLockProvider.over(another).build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith(
                        "The given persistence unit is a " + another.getClass().getName())
                .hasMessageContaining("Hibernate 6.6 or newer")
                .hasMessageContaining("add org.hibernate.orm:hibernate-core");
    }

    @Test
    void connectionKeepsItsNetworkTimeout() throws SQLException {
        try (Connection bound = Databases.connect(Databases.SharedPostgreSql.URL)) {
            bound.setNetworkTimeout(Runnable::run, 77_000);
            try (EntityManagerFactory factory = JpaUnits.opened("locks", TransactionsTest.binding(bound));
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                assertThat(bound.getNetworkTimeout()).isEqualTo(77_000);
                assertThat(TestClaim.once(provider, name).granted()).isFalse();
                assertThat(bound.getNetworkTimeout()).isEqualTo(77_000);
                assertThat(holder.released()).isTrue();
            }
        }
    }

    @Test
    void unitWithoutTheEntityIsRefused() {
        try (HikariDataSource pool = JpaUnits.pool(Databases.SharedH2.URL);
                EntityManagerFactory factory = JpaUnits.opened("without-locks", pool)) {
            assertThatThrownBy(() -> JpaLockProvider.over(factory).build())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("<class>io.holdfast.lock.jdbc.jpa.LockRecord</class>")
                    .hasMessageContaining("JpaLockProvider.entityClass()")
                    .hasMessageContaining("Spring Boot: @EntityScan or @AutoConfigurationPackage");
        }
    }
}
