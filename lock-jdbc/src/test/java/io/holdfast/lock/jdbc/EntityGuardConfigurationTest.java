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
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Persistence;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which entities and factories a guard takes. */
class EntityGuardConfigurationTest {

    private static EntityManagerFactory factory(Class<?>... entities) {
        return factory(Map.of(), entities);
    }

    /** The classes by a setting of Hibernate, as the older lines lack the configuration in code of the standard. */
    private static EntityManagerFactory factory(Map<String, String> settings, Class<?>... entities) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("jakarta.persistence.jdbc.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        all.put("hibernate.hbm2ddl.auto", "create");
        all.put("hibernate.loaded_classes", new ArrayList<>(List.of(entities)));
        return Persistence.createEntityManagerFactory("without-locks", all);
    }

    @ParameterizedTest
    @CsvSource({
        "io.holdfast.lock.jdbc.UnguardedStock, No entity of this factory implements",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$WithoutFence, needed is an attribute of the type",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$Updatable, needed is updatable = false",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$InTwoTables, is mapped to several tables",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$Joined, is mapped to several tables",
        "io.holdfast.lock.jdbc.EntityGuardConfigurationTest$PerClass, is mapped to several tables"
    })
    void entityThatCannotBeGuardedIsRefused(Class<?> entity, String reason) {
        List<Class<?>> withSubtypes = new ArrayList<>(List.of(entity));
        withSubtypes.addAll(List.of(entity.getDeclaredClasses()));
        try (EntityManagerFactory factory = factory(withSubtypes.toArray(Class<?>[]::new))) {
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
            // It has no collection, whose insert would raise the floor as well.
            assertThatThrownBy(() -> as(
                            guard,
                            factory,
                            4,
                            manager -> manager.find(Versioned.class, key).count()))
                    .hasRootCauseInstanceOf(StaleTokenException.class);
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
        as(guard, factory, new NamedToken("seat:hall:7", 0, new FencingToken(token)), work);
    }

    private static void as(
            EntityGuard guard, EntityManagerFactory factory, NamedToken token, Consumer<EntityManager> work) {
        try (EntityManager manager = factory.createEntityManager()) {
            guard.bind(manager, token);
            manager.getTransaction().begin();
            try {
                work.accept(manager);
                manager.getTransaction().commit();
            } finally {
                if (manager.getTransaction().isActive()) {
                    manager.getTransaction().rollback();
                }
            }
        }
    }

    @Test
    void factoryThatGivesConnectionsBackBeforeTheCommitIsRefused() {
        try (EntityManagerFactory factory = factory(
                Map.of("hibernate.connection.handling_mode", "DELAYED_ACQUISITION_AND_RELEASE_AFTER_STATEMENT"),
                GuardedStock.class)) {
            assertThatThrownBy(() -> EntityGuard.over(factory))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageStartingWith(
                            "The factory of guarded entities has the hibernate.connection.handling_mode");
        }
    }

    @Test
    void insertWhoseIdTheDatabaseMakesIsRefusedUnlessAnotherKeyNamesTheLock() {
        NamedToken token = new NamedToken("bin:1", 0, new FencingToken(5));
        try (EntityManagerFactory factory = factory(Numbered.class, Labelled.class, Sequenced.class)) {
            EntityGuard guard = EntityGuard.over(factory);
            assertThatThrownBy(() -> as(guard, factory, token, manager -> manager.persist(new Numbered())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("the lock 'bin:null'", "'bin:1'. The entity has no id before this insert");
            NamedToken labelled = new NamedToken("bin:a", 0, new FencingToken(5));
            as(guard, factory, labelled, manager -> manager.persist(new Labelled("a")));
            try (EntityManager manager = factory.createEntityManager()) {
                manager.getTransaction().begin();
                Sequenced bin = new Sequenced();
                manager.persist(bin);
                guard.bind(manager, new NamedToken(bin.guardingLock(), 0, new FencingToken(5)));
                manager.getTransaction().commit();
            }
        }
    }

    /** Another holder has changed all of it since it was found. */
    @Test
    void enterReadsNoOtherEntityAgainUnlessItsAssociationCascadesRefresh() {
        NamedToken first = new NamedToken("shelf:1", 0, new FencingToken(5));
        NamedToken next = new NamedToken("shelf:1", 0, new FencingToken(6));
        try (EntityManagerFactory factory = factory(Shelf.class, Part.class)) {
            EntityGuard guard = EntityGuard.over(factory);
            as(guard, factory, first, manager -> {
                Shelf shelf = new Shelf(new Part(1), new Part(2), new Part(3));
                manager.persist(shelf.eager);
                manager.persist(shelf.refreshed);
                manager.persist(shelf.lazy);
                manager.persist(shelf);
            });
            as(guard, factory, next, manager -> {
                Shelf shelf = manager.find(Shelf.class, 1L);
                as(guard, factory, first, other -> {
                    for (long id = 1; id <= 3; id++) {
                        other.find(Part.class, id).units = 9;
                    }
                });
                assertThat(guard.enter(manager, shelf)).isSameAs(shelf);
                assertThat(shelf.eager.units()).as("loaded before").isEqualTo(0);
                assertThat(shelf.refreshed.units()).as("cascades REFRESH").isEqualTo(9);
                assertThat(shelf.lazy.units()).as("loaded after").isEqualTo(9);
            });
        }
    }

    @Entity
    static class Shelf implements FencedEntity {
        @Id
        private Long id = 1L;

        @ManyToOne(fetch = FetchType.EAGER)
        private Part eager;

        @ManyToOne(fetch = FetchType.EAGER, cascade = CascadeType.REFRESH)
        private Part refreshed;

        @ManyToOne(fetch = FetchType.LAZY)
        private Part lazy;

        @Embedded
        private Fence fence = new Fence();

        Shelf() {}

        Shelf(Part eager, Part refreshed, Part lazy) {
            this.eager = eager;
            this.refreshed = refreshed;
            this.lazy = lazy;
        }

        @Override
        public String guardingLock() {
            return "shelf:" + id;
        }

        @Override
        public String toString() {
            return "Shelf[" + id + ", " + fence + "]";
        }
    }

    @Entity
    static class Part {
        @Id
        private Long id;

        private int units;

        Part() {}

        Part(long id) {
            this.id = id;
        }

        int units() {
            return units;
        }

        Long id() {
            return id;
        }
    }

    @Entity
    static class Numbered implements FencedEntity {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;

        @Embedded
        private Fence fence = new Fence();

        @Override
        public String guardingLock() {
            return "bin:" + id;
        }

        @Override
        public String toString() {
            return "Numbered[" + fence + "]";
        }
    }

    @Entity
    static class Labelled implements FencedEntity {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;

        @Column(unique = true)
        private String label;

        @Embedded
        private Fence fence = new Fence();

        Labelled() {}

        Labelled(String label) {
            this.label = label;
        }

        @Override
        public String guardingLock() {
            return "bin:" + label;
        }

        @Override
        public String toString() {
            return "Labelled[" + id + ", " + fence + "]";
        }
    }

    @Entity
    static class Sequenced implements FencedEntity {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        private Long id;

        @Embedded
        private Fence fence = new Fence();

        @Override
        public String guardingLock() {
            return "bin:" + id;
        }

        @Override
        public String toString() {
            return "Sequenced[" + fence + "]";
        }
    }

    @Entity
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined implements FencedEntity {
        @Id
        private Long id;

        @Embedded
        private Fence fence;

        @Override
        public String guardingLock() {
            return "stock:" + id + fence;
        }

        @Entity
        static class JoinedSubtype extends Joined {}
    }

    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class PerClass implements FencedEntity {
        @Id
        private Long id;

        @Embedded
        private Fence fence;

        @Override
        public String guardingLock() {
            return "stock:" + id + fence;
        }

        @Entity
        static class PerClassSubtype extends PerClass {}
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
        private Fence fence = new Fence();

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
