package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import io.holdfast.parts.Proves;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which token counts in an entity manager that lives longer than one, and in which flushes. */
class EntityGuardTokensTest {

    private static final long ID = 42;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final EntityManagerFactory factory = new PersistenceConfiguration("boxes-" + UUID.randomUUID())
            .property(PersistenceConfiguration.JDBC_URL, url)
            .property("hibernate.hbm2ddl.auto", "create")
            .managedClass(GuardedBox.class)
            .managedClass(GuardedBox.Content.class)
            .createEntityManagerFactory();
    private final EntityGuard guard = EntityGuard.over(factory);

    @AfterEach
    void close() {
        factory.close();
    }

    private static NamedToken token(long number) {
        return new NamedToken("box:" + ID, 0, new FencingToken(number));
    }

    private void as(EntityManager manager, Consumer<GuardedBox> work) {
        manager.getTransaction().begin();
        try {
            work.accept(manager.find(GuardedBox.class, ID));
            manager.getTransaction().commit();
        } finally {
            if (manager.getTransaction().isActive()) {
                manager.getTransaction().rollback();
            }
        }
    }

    private void as(long token, Consumer<GuardedBox> work) {
        try (EntityManager manager = factory.createEntityManager()) {
            guard.bind(manager, token(token));
            as(manager, work);
        }
    }

    private void insert(long token) {
        try (EntityManager manager = factory.createEntityManager()) {
            guard.bind(manager, token(token));
            manager.getTransaction().begin();
            manager.persist(new GuardedBox(ID));
            manager.getTransaction().commit();
        }
    }

    private String floor() {
        return Databases.ask(url, "SELECT fence_token FROM GuardedBox WHERE id = " + ID);
    }

    private void assertRefused(Consumer<GuardedBox> work, EntityManager manager) {
        assertThatThrownBy(() -> as(manager, work)).hasRootCauseInstanceOf(StaleTokenException.class);
    }

    @Test
    @Proves("6.4")
    void insertIsTheFirstFloor() {
        insert(9);
        assertThat(floor()).isEqualTo("9");
        try (EntityManager earlier = factory.createEntityManager()) {
            guard.bind(earlier, token(7));
            assertRefused(GuardedBox::add, earlier);
        }
    }

    @Test
    @Proves("6.4")
    void eachTransactionOfAnEntityManagerIsCompared() {
        insert(1);
        try (EntityManager manager = factory.createEntityManager()) {
            guard.bind(manager, token(20));
            as(manager, GuardedBox::add);
            as(21, GuardedBox::add);
            assertRefused(GuardedBox::add, manager);
        }
        assertThat(floor()).isEqualTo("21");
    }

    @Test
    @Proves("6.4")
    void laterTokenReplacesTheEarlierOne() {
        insert(1);
        try (EntityManager manager = factory.createEntityManager()) {
            guard.bind(manager, token(30));
            as(manager, GuardedBox::add);
            as(31, GuardedBox::add);
            guard.bind(manager, token(32));
            as(manager, GuardedBox::add);
        }
        assertThat(floor()).isEqualTo("32");
    }

    @Test
    @Proves("6.4")
    void collectionOfSomethingEmbeddedIsGuarded() {
        insert(1);
        as(2, box -> box.label("fragile"));
        try (EntityManager late = factory.createEntityManager()) {
            guard.bind(late, token(2));
            as(3, GuardedBox::add);
            assertRefused(GuardedBox::empty, late);
            late.clear();
            assertRefused(box -> box.label("heavy"), late);
        }
    }
}
