package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import io.holdfast.lock.jdbc.jpa.Fence;
import io.holdfast.lock.jdbc.jpa.FencedEntity;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Version;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which entities and factories a guard takes. */
class EntityGuardConfigurationTest {

    private static EntityManagerFactory factory(Class<?>... entities) {
        PersistenceConfiguration unit = new PersistenceConfiguration("guarded-" + UUID.randomUUID())
                .property(PersistenceConfiguration.JDBC_URL, "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
                .property("hibernate.hbm2ddl.auto", "create");
        for (Class<?> entity : entities) {
            unit.managedClass(entity);
        }
        return unit.createEntityManagerFactory();
    }

    @ParameterizedTest
    @CsvSource({
        "io.holdfast.lock.jdbc.UnguardedStock, No entity of this factory implements",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$WithoutFence, needed is an attribute of the type",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$Updatable, needed is updatable = false",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$InTwoTables, is mapped to several tables"
    })
    void entityThatCannotBeGuardedIsRefused(Class<?> entity, String reason) {
        try (EntityManagerFactory factory = factory(entity)) {
            assertThatThrownBy(() -> EntityGuard.over(factory))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining(reason);
        }
    }

    @Test
    void secondGuardOfAFactoryIsRefused() {
        try (EntityManagerFactory factory = factory(GuardedStock.class)) {
            EntityGuard.over(factory);
            assertThatThrownBy(() -> EntityGuard.over(factory))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("has an EntityGuard already");
        }
    }

    @Test
    void entityManagerOfAnotherFactoryAndUnmanagedEntityAreRefused() {
        try (EntityManagerFactory factory = factory(GuardedStock.class);
                EntityManagerFactory another = factory(GuardedStock.class);
                EntityManager here = factory.createEntityManager();
                EntityManager there = another.createEntityManager()) {
            EntityGuard guard = EntityGuard.over(factory);
            NamedToken token = new NamedToken("stock:1", 0, new FencingToken(1));
            assertThatThrownBy(() -> guard.bind(there, token))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another factory");
            guard.bind(here, token);
            assertThatThrownBy(() -> guard.enter(here, new GuardedStock(1, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("managed by this entity manager");
        }
    }

    @Test
    void versionCompositeKeyAndOtherNamesOfColumnsAreSupported() {
        try (EntityManagerFactory factory = factory(Versioned.class)) {
            EntityGuard guard = EntityGuard.over(factory);
            Key key = new Key("hall", 7);
            as(guard, factory, 5, manager -> manager.persist(new Versioned(key)));
            as(
                    guard,
                    factory,
                    6,
                    manager -> guard.enter(manager, manager.getReference(Versioned.class, key))
                            .count());
            assertThatThrownBy(() -> as(
                            guard,
                            factory,
                            5,
                            manager -> manager.find(Versioned.class, key).count()))
                    .hasRootCauseInstanceOf(StaleTokenException.class);
            as(
                    guard,
                    factory,
                    6,
                    manager ->
                            assertThat(manager.find(Versioned.class, key).units).isEqualTo(1));
        }
    }

    private static void as(EntityGuard guard, EntityManagerFactory factory, long token, Consumer<EntityManager> work) {
        factory.runInTransaction(manager -> {
            guard.bind(manager, new NamedToken("seat:hall:7", 0, new FencingToken(token)));
            work.accept(manager);
        });
    }

    @Embeddable
    record Key(String hall, int seat) {}

    @Entity
    static class Versioned implements FencedEntity {
        @EmbeddedId
        private Key key;

        @Version
        private long version;

        private int units;

        @Embedded
        @AttributeOverride(name = "epoch", column = @Column(name = "seen_epoch", updatable = false))
        @AttributeOverride(name = "token", column = @Column(name = "seen_token", updatable = false))
        private Fence fence;

        Versioned() {}

        Versioned(Key key) {
            this.key = key;
        }

        void count() {
            units++;
        }

        @Override
        public String guardingLock() {
            return "seat:" + key.hall() + ":" + key.seat();
        }

        @Override
        public String toString() {
            return "Versioned[" + key + ", " + version + ", " + fence + "]";
        }
    }

    @Entity
    static class WithoutFence implements FencedEntity {
        @Id
        private Long id;

        @Override
        public String guardingLock() {
            return "stock:" + id;
        }
    }

    @Entity
    static class Updatable implements FencedEntity {
        @Id
        private Long id;

        @Embedded
        @AttributeOverride(name = "token", column = @Column(name = "seen_token"))
        private Fence fence;

        @Override
        public String guardingLock() {
            return "stock:" + id + fence;
        }
    }

    @Entity
    @SecondaryTable(name = "second")
    static class InTwoTables implements FencedEntity {
        @Id
        private Long id;

        @Column(table = "second")
        private int units;

        @Embedded
        private Fence fence;

        @Override
        public String guardingLock() {
            return "stock:" + id + units + fence;
        }
    }
}
