package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Refuses stale changes of an application's entities: those of a holder that has lost the lock, once a later holder has entered
 * or changed the entity. Thread-safe.
 *
 * <p>It guards each entity that is a {@link FencedEntity}. Each flush that updates or deletes one, or changes a collection that
 * it owns, first raises the floor in its row to the token that is bound to the entity manager, unless the floor is higher. That
 * is one more statement for the entity and one for each collection that has changed, in the same transaction, and keeps the row
 * locked until its end. It does not matter when the entity was read, nor whether it was merged.
 *
 * <pre>{@code
 * EntityGuard guard = EntityGuard.over(factory);      // once, where the factory is made
 *
 * entityManager.getTransaction().begin();
 * guard.bind(entityManager, held.namedToken());
 * Stock stock = guard.enter(entityManager, entityManager.find(Stock.class, 42L));
 * stock.sellOne();
 * entityManager.getTransaction().commit();
 * }</pre>
 *
 * <p>A stale change is refused by a {@link io.holdfast.lock.StaleTokenException}: thrown as such by {@code flush}, by a query
 * that flushes and by {@link #enter}, and as the cause of the {@link jakarta.persistence.RollbackException} by {@code commit}. A
 * refused flush marks the transaction for rollback.
 *
 * <p>The name of the lock has to be known before an entity is inserted. An id that the database makes by the insert
 * ({@code IDENTITY}) is not: assign the id, take it from a sequence, or name the lock after another key.
 *
 * <p>Without a token of its lock a change of a guarded entity is refused: by an {@link IllegalStateException} if none is bound,
 * by an {@link IllegalArgumentException} if only tokens of other locks are. Statements that are not a flush, such as an
 * {@code UPDATE} in JPQL or SQL, are not guarded. The floor goes with its row: where holders delete and insert the same key, an
 * insert is not compared with the row that was deleted. An insert is compared with nothing: where two holders could insert what
 * should be there once, a unique key refuses the second one.
 */
public final class EntityGuard {

    private static final String PROPERTY = "io.holdfast.lock.token:";

    private final EntityManagerFactory factory;
    private final Floors floors;

    private EntityGuard(EntityManagerFactory factory, Floors floors) {
        this.factory = factory;
        this.floors = floors;
    }

    /**
     * Guards the entities of a factory from here on. Without this call nothing is guarded.
     *
     * @param factory the factory of the application, of Hibernate 6.6 or newer
     * @return the guard
     * @throws LockConfigurationException if the factory is not of Hibernate 6.6 or newer, if none of its entities is a {@link
     *     FencedEntity}, if one lacks the {@link Fence}, may update it or is mapped to several tables, if the factory gives
     *     connections back before the end of a transaction and is not for JTA, or if it has a guard already
     */
    public static EntityGuard over(EntityManagerFactory factory) {
        Objects.requireNonNull(factory, "factory");
        new UnitRequirements("The factory of guarded entities", factory).checkForGuard();
        Floors floors = Floors.of(factory);
        FlushGuard.install(factory, floors);
        return new EntityGuard(factory, floors);
    }

    /**
     * Binds a token to an entity manager, and so to its persistence context: each later flush of an entity that its lock protects
     * uses it. One entity manager may have tokens of several locks; one of the same lock replaces the earlier one.
     *
     * @param manager an entity manager of the guard's factory
     * @param token the token of a lock that the caller holds
     * @throws IllegalArgumentException if the entity manager is not of this factory
     */
    public void bind(EntityManager manager, NamedToken token) {
        Objects.requireNonNull(token, "token");
        // As a text: Hibernate takes only properties that are serializable.
        session(manager).setProperty(PROPERTY + token.lockName(), token.encode());
    }

    /**
     * Enters an entity: raises its floor, locks its row until the end of the transaction, and reads its state again. After it, no
     * earlier holder can change the entity any more. Changes that were not flushed are lost, so it is called first.
     *
     * <p>It reads the entity and its own collections again, and no other entity: one that was loaded before, as by an eager
     * association, stays as it was read, unless the association cascades {@code REFRESH}. Load what hangs on the entity after
     * this call.
     *
     * @param <T> the type of the entity
     * @param manager an entity manager that a token of the entity's lock is {@linkplain #bind bound} to, in a transaction
     * @param entity an entity that it manages
     * @return the entity
     * @throws io.holdfast.lock.StaleTokenException if a later holder has entered or changed it
     * @throws IllegalStateException if no token is bound
     * @throws IllegalArgumentException if only tokens of other locks are, or the entity is not managed
     */
    public <T extends FencedEntity> T enter(EntityManager manager, T entity) {
        Objects.requireNonNull(entity, "entity");
        Session session = session(manager);
        if (!session.contains(entity)) {
            throw new IllegalArgumentException(
                    "An entity that is entered has to be managed by this entity manager; find or merge it first");
        }
        Object id = factory.getPersistenceUnitUtil().getIdentifier(entity);
        floors.raise(session, entity, id, token(session, entity));
        session.refresh(entity);
        return entity;
    }

    /** Compared as Hibernate's own class: what wraps a factory, as Spring does, gives itself for the interfaces. */
    private Session session(EntityManager manager) {
        Session session = Objects.requireNonNull(manager, "manager").unwrap(Session.class);
        if (session.getEntityManagerFactory().unwrap(SessionFactoryImplementor.class)
                != factory.unwrap(SessionFactoryImplementor.class)) {
            throw new IllegalArgumentException("This entity manager is of another factory than the guard");
        }
        return session;
    }

    /** The token of an entity's lock that is bound to a persistence context. */
    static NamedToken token(EntityManager session, FencedEntity entity) {
        return token(session, entity, "");
    }

    /**
     * The same.
     *
     * @param more what else to say if there is none
     */
    static NamedToken token(EntityManager session, FencedEntity entity, String more) {
        String lock = entity.guardingLock();
        if (session.getProperties().get(PROPERTY + lock) instanceof String bound) {
            return NamedToken.parse(bound);
        }
        String guarded = entity.getClass().getName() + " is guarded by the lock '" + lock + "', and ";
        String others = session.getProperties().keySet().stream()
                .filter(property -> property.startsWith(PROPERTY))
                .map(property -> "'" + property.substring(PROPERTY.length()) + "'")
                .sorted()
                .collect(Collectors.joining(", "));
        if (others.isEmpty()) {
            throw new IllegalStateException(
                    guarded + "no token is bound to the entity manager; call EntityGuard.bind(entityManager,"
                            + " held.namedToken()) before it changes the entity" + more);
        }
        throw new IllegalArgumentException(
                guarded + "the tokens that are bound to the entity manager are of other locks: " + others + more);
    }
}
