package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.Databases.SharedMariaDb;
import io.holdfast.lock.jdbc.Databases.SharedPostgreSql;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.RollbackException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreCollectionRemoveEvent;
import org.hibernate.event.spi.PreCollectionRemoveEventListener;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stale changes of guarded entities, by real databases. Holder 6 comes after holder 5. */
@Tag("server")
class EntityGuardTest {

    private static final int UNITS = 10;
    private static final Map<String, EntityManagerFactory> FACTORIES = new ConcurrentHashMap<>();
    private static final Map<String, EntityGuard> GUARDS = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

    private final long id = NEXT.incrementAndGet();

    @AfterAll
    static void close() {
        FACTORIES.values().forEach(EntityManagerFactory::close);
        FACTORIES.clear();
        GUARDS.clear();
    }

    private static EntityManagerFactory factory(String url) {
        return FACTORIES.computeIfAbsent(url, where -> JpaUnits.opened("guarded", JpaUnits.pool(where)));
    }

    private static EntityGuard guard(String url) {
        return GUARDS.computeIfAbsent(url, where -> EntityGuard.over(factory(where)));
    }

    private NamedToken token(int epoch, long number) {
        return new NamedToken(GuardedStock.lock(id), epoch, new FencingToken(number));
    }

    private NamedToken token(long number) {
        return token(0, number);
    }

    /** One transaction of a holder. */
    private void as(NamedToken token, String url, Consumer<EntityManager> work) {
        EntityGuard guard = guard(url);
        try (EntityManager manager = factory(url).createEntityManager()) {
            guard.bind(manager, token);
            inTransaction(manager, work);
        }
    }

    private static void inTransaction(EntityManager manager, Consumer<EntityManager> work) {
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

    private void insert(String url) {
        as(token(4), url, manager -> manager.persist(new GuardedStock(id, UNITS)));
    }

    private GuardedStock found(EntityManager manager) {
        return manager.find(GuardedStock.class, id);
    }

    private void sellOne(EntityManager manager) {
        found(manager).sellOne();
    }

    private String row(String url) {
        return Databases.ask(url, "SELECT units FROM guarded_stock WHERE id = " + id)
                + " "
                + Databases.ask(url, "SELECT fence_epoch FROM guarded_stock WHERE id = " + id)
                + ":"
                + Databases.ask(url, "SELECT fence_token FROM guarded_stock WHERE id = " + id);
    }

    private void assertCommitRefused(ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOf(RollbackException.class)
                .cause()
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(token(5));
                    assertThat(stale.floor()).isEqualTo(6);
                });
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void insertAndUpdatesOfHoldersInOrderRaiseTheFloor(String url) {
        insert(url);
        assertThat(row(url)).isEqualTo("10 0:4");
        as(token(4), url, this::sellOne);
        as(token(5), url, this::sellOne);
        assertThat(row(url)).isEqualTo("8 0:5");
        as(token(6), url, this::sellOne);
        assertThat(row(url)).isEqualTo("7 0:6");
    }

    /** A floor that stays as it is counts as no row there. */
    @Test
    void mariaDbThatCountsOnlyChangedRowsIsTheSame() {
        String url = SharedMariaDb.URL + "&useAffectedRows=true";
        insert(url);
        as(token(4), url, this::sellOne);
        as(token(6), url, this::sellOne);
        as(token(6), url, this::sellOne);
        assertCommitRefused(() -> as(token(5), url, this::sellOne));
        assertThat(row(url)).isEqualTo("7 0:6");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void updateOfAnEntityReadBeforeTheLaterHolderWroteIsRefused(String url) {
        insert(url);
        assertCommitRefused(() -> as(token(5), url, stale -> {
            sellOne(stale);
            as(token(6), url, this::sellOne);
        }));
        assertThat(row(url)).isEqualTo("9 0:6");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void updateOfAnEntityReadAfterTheLaterHolderWroteIsRefused(String url) {
        insert(url);
        as(token(6), url, this::sellOne);
        assertCommitRefused(() -> as(token(5), url, this::sellOne));
        assertThat(row(url)).isEqualTo("9 0:6");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void flushThrowsTheRefusalItselfAndMarksTheTransactionForRollback(String url) {
        insert(url);
        as(token(6), url, this::sellOne);
        as(token(5), url, stale -> {
            sellOne(stale);
            assertThatThrownBy(stale::flush).isInstanceOf(StaleTokenException.class);
            assertThat(stale.getTransaction().getRollbackOnly()).isTrue();
        });
        assertThat(row(url)).isEqualTo("9 0:6");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void mergeOfADetachedEntityIsRefused(String url) {
        insert(url);
        GuardedStock detached;
        try (EntityManager manager = factory(url).createEntityManager()) {
            detached = found(manager);
        }
        as(token(6), url, this::sellOne);
        detached.sellOne();
        detached.sellOne();
        assertCommitRefused(() -> as(token(5), url, stale -> stale.merge(detached)));
        assertThat(row(url)).isEqualTo("9 0:6");
        as(token(7), url, current -> current.merge(detached));
        assertThat(row(url)).isEqualTo("8 0:7");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void staleDeleteIsRefused(String url) {
        insert(url);
        as(token(6), url, this::sellOne);
        assertCommitRefused(() -> as(token(5), url, stale -> stale.remove(found(stale))));
        assertCommitRefused(() -> as(token(5), url, stale -> stale.remove(stale.getReference(GuardedStock.class, id))));
        assertThat(row(url)).isEqualTo("9 0:6");
        as(token(6), url, current -> current.remove(found(current)));
        assertThat(row(url)).isEqualTo(" :");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void staleChangeOfACollectionAloneIsRefused(String url) {
        insert(url);
        as(token(5), url, current -> found(current).buyers().add("first"));
        assertThat(row(url)).isEqualTo("10 0:5");
        as(token(6), url, current -> found(current).buyers().add("second"));
        assertCommitRefused(
                () -> as(token(5), url, stale -> found(stale).buyers().add("stale")));
        assertCommitRefused(
                () -> as(token(5), url, stale -> found(stale).buyers().clear()));
        as(token(6), url, current -> assertThat(found(current).buyers()).containsExactlyInAnyOrder("first", "second"));
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void enterRaisesTheFloorAndReadsAgain(String url) {
        insert(url);
        EntityGuard guard = guard(url);
        as(token(6), url, manager -> {
            GuardedStock early = found(manager);
            as(token(5), url, this::sellOne);
            assertThat(early.units()).isEqualTo(UNITS);
            assertThat(guard.enter(manager, early)).isSameAs(early);
            assertThat(early.units()).isEqualTo(UNITS - 1);
        });
        assertThat(row(url)).isEqualTo("9 0:6");
        assertCommitRefused(() -> as(token(5), url, this::sellOne));
        assertThatThrownBy(() -> as(token(5), url, stale -> guard.enter(stale, found(stale))))
                .isInstanceOf(StaleTokenException.class);
    }

    /** The default from MariaDB 11.6 on. */
    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void enterAfterAChangeFailsInMariaDbWithSnapshotIsolation() {
        String url = SharedMariaDb.URL + "&sessionVariables=innodb_snapshot_isolation=1";
        insert(url);
        EntityGuard guard = guard(url);
        assertThatThrownBy(() -> as(token(6), url, manager -> {
                    GuardedStock early = found(manager);
                    as(token(5), url, this::sellOne);
                    guard.enter(manager, early);
                }))
                .hasRootCauseInstanceOf(SQLException.class)
                .rootCause()
                .satisfies(changed ->
                        assertThat(((SQLException) changed).getErrorCode()).isEqualTo(1020));
        as(
                token(6),
                url,
                repeated -> assertThat(guard.enter(repeated, found(repeated)).units())
                        .isEqualTo(UNITS - 1));
    }

    /** The stale holder waits for the row, and is refused by what is there after the commit. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void enterLocksTheRowUntilTheCommit(String url) {
        insert(url);
        EntityGuard guard = guard(url);
        List<String> order = new CopyOnWriteArrayList<>();
        CompletableFuture<?>[] stale = new CompletableFuture<?>[1];
        as(token(6), url, manager -> {
            GuardedStock entered = guard.enter(manager, found(manager));
            stale[0] = CompletableFuture.runAsync(() -> {
                try {
                    as(token(5), url, this::sellOne);
                } finally {
                    order.add("stale");
                }
            });
            Waits.letPass(Duration.ofMillis(300));
            entered.sellOne();
            order.add("entered");
        });
        assertThat(Waits.failure(stale[0])).hasRootCauseInstanceOf(StaleTokenException.class);
        assertThat(order).containsExactly("entered", "stale");
        assertThat(row(url)).isEqualTo("9 0:6");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void epochComesBeforeTheNumber(String url) {
        insert(url);
        as(token(1, 2), url, this::sellOne);
        assertThat(row(url)).isEqualTo("9 1:2");
        assertThatThrownBy(() -> as(token(0, 99), url, this::sellOne))
                .hasRootCauseInstanceOf(StaleTokenException.class)
                .rootCause()
                .hasMessageContaining("from epoch 0");
        as(token(1, 3), url, this::sellOne);
        assertThat(row(url)).isEqualTo("8 1:3");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void changeWithoutATokenIsRefused(String url) {
        insert(url);
        try (EntityManager manager = factory(url).createEntityManager()) {
            for (Consumer<EntityManager> change : List.<Consumer<EntityManager>>of(
                    this::sellOne,
                    current -> current.remove(found(current)),
                    current -> found(current).buyers().add("x"),
                    current -> current.persist(new GuardedStock(-id, 1)),
                    current -> guard(url).enter(current, found(current)))) {
                assertThatThrownBy(() -> inTransaction(manager, change))
                        .satisfies(refused -> assertThat(
                                        refused instanceof RollbackException ? refused.getCause() : refused)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("call EntityGuard.bind(entityManager, held.namedToken())"));
                manager.clear();
            }
        }
        assertThat(row(url)).isEqualTo("10 0:4");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void tokenOfAnotherLockIsRefusedAndTokensOfSeveralLocksAreKeptApart(String url) {
        insert(url);
        NamedToken other = new NamedToken("stock:other", 0, new FencingToken(99));
        assertThatThrownBy(() -> as(other, url, this::sellOne))
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'stock:other'", "'" + GuardedStock.lock(id) + "'");
        assertThat(row(url)).isEqualTo("10 0:4");
        as(other, url, manager -> {
            guard(url).bind(manager, token(5));
            sellOne(manager);
        });
        assertThat(row(url)).isEqualTo("9 0:5");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void statelessSessionIsRefused(String url) {
        insert(url);
        EntityGuard guard = guard(url);
        assertThat(guard).isNotNull();
        try (StatelessSession session =
                factory(url).unwrap(SessionFactory.class).openStatelessSession()) {
            GuardedStock stock = session.get(GuardedStock.class, id);
            assertThatThrownBy(() -> session.update(stock)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> session.delete(stock)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> session.upsert(stock)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(row(url)).isEqualTo("10 0:4");
    }

    /** The update is in the same flush as the insertion, which waits in a batch. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void newEntityCanBeChangedBeforeItIsFlushed(String url) {
        as(token(5), url, manager -> {
            GuardedStock stock = new GuardedStock(id, UNITS);
            manager.persist(stock);
            stock.sellOne();
            stock.buyers().add("first");
        });
        assertThat(row(url)).isEqualTo("9 0:5");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void updateOfADeletedRowIsRefused(String url) {
        insert(url);
        assertThatThrownBy(() -> as(token(5), url, stale -> {
                    sellOne(stale);
                    as(token(6), url, current -> current.remove(found(current)));
                }))
                .hasCauseInstanceOf(OptimisticLockException.class);
        assertThat(row(url)).isEqualTo(" :");
    }

    /** PostgreSQL: the update that raises the floor waits for the former row, and does not see the new one. */
    @Test
    void rowThatWasInsertedAgainWhileTheRaiseWaitedIsNotTakenForRaised() {
        String url = SharedPostgreSql.URL;
        insert(url);
        EntityGuard guard = guard(url);
        CompletableFuture<?>[] later = new CompletableFuture<?>[1];
        as(token(6), url, manager -> {
            manager.remove(found(manager));
            manager.flush();
            manager.persist(new GuardedStock(id, UNITS));
            manager.flush();
            later[0] = CompletableFuture.runAsync(
                    () -> as(token(7), url, waiting -> guard.enter(waiting, found(waiting))));
            Waits.soon()
                    .until(() -> !Databases.ask(
                                    url,
                                    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND query LIKE 'update guarded_stock %'")
                            .isEmpty());
        });
        assertThat(Waits.failure(later[0]))
                .isInstanceOf(OptimisticLockException.class)
                .hasMessageContaining("came between two statements; repeat the transaction");
        assertThat(row(url)).isEqualTo("10 0:6");
        as(token(7), url, repeated -> guard.enter(repeated, found(repeated)));
        assertThat(row(url)).isEqualTo("10 0:7");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void guardedFlushTakesOneMoreStatementForTheEntityAndForEachCollection(String url) {
        insert(url);
        Statistics statistics = factory(url).unwrap(SessionFactory.class).getStatistics();
        statistics.setStatisticsEnabled(true);
        statistics.clear();
        as(token(5), url, this::sellOne);
        assertThat(statistics.getPrepareStatementCount()).isEqualTo(3);

        as(token(5), url, manager -> found(manager).buyers().add("first"));
        statistics.clear();
        as(token(5), url, manager -> found(manager).buyers().add("second"));
        long ofTheCollection = statistics.getPrepareStatementCount();
        statistics.clear();
        as(token(5), url, manager -> {
            sellOne(manager);
            found(manager).buyers().add("third");
        });
        assertThat(statistics.getPrepareStatementCount()).isEqualTo(ofTheCollection + 2);
    }

    /** As of an owner that the persistence context does not have: no floor can be found. */
    @Test
    void changeOfACollectionWhoseOwnerIsUnknownIsRefusedIfTheOwnerIsGuarded() {
        String url = Databases.SharedH2.URL;
        insert(url);
        assertThat(guard(url)).isNotNull();
        SessionFactoryImplementor hibernate = factory(url).unwrap(SessionFactoryImplementor.class);
        as(token(5), url, manager -> {
            PersistentCollection<?> buyers =
                    (PersistentCollection<?>) found(manager).buyers();
            PreCollectionRemoveEvent removal = new PreCollectionRemoveEvent(
                    hibernate.getMappingMetamodel().getCollectionDescriptor(GuardedStock.class.getName() + ".buyers"),
                    buyers,
                    manager.unwrap(SessionImplementor.class).asEventSource(),
                    null);
            assertThatThrownBy(() -> hibernate
                            .getServiceRegistry()
                            .requireService(EventListenerRegistry.class)
                            .getEventListenerGroup(EventType.PRE_COLLECTION_REMOVE)
                            .fireEventOnEachListener(removal, PreCollectionRemoveEventListener::onPreRemoveCollection))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("A collection of a guarded entity is changed", "GuardedStock");
        });
    }

    /** The honest negative: the schedule of the first refusal sells two units and loses one of them. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void sameScheduleWithoutAGuardCorruptsTheData(String url) {
        try (EntityManager stale = factory(url).createEntityManager();
                EntityManager later = factory(url).createEntityManager()) {
            inTransaction(later, manager -> manager.persist(new UnguardedStock(id, UNITS)));
            later.clear();
            inTransaction(stale, manager -> {
                manager.find(UnguardedStock.class, id).sellOne();
                inTransaction(
                        later, other -> other.find(UnguardedStock.class, id).sellOne());
            });
        }
        assertThat(Databases.ask(url, "SELECT units FROM unguarded_stock WHERE id = " + id))
                .isEqualTo("9");
    }
}
