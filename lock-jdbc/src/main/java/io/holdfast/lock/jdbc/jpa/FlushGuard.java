package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistrationException;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreCollectionRecreateEvent;
import org.hibernate.event.spi.PreCollectionRecreateEventListener;
import org.hibernate.event.spi.PreCollectionRemoveEvent;
import org.hibernate.event.spi.PreCollectionRemoveEventListener;
import org.hibernate.event.spi.PreCollectionUpdateEvent;
import org.hibernate.event.spi.PreCollectionUpdateEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;

/**
 * Raises the floor of a guarded entity before each statement of a flush that changes it.
 *
 * <p>Listeners of the standard will not do: they are not given the entity manager, and the token is bound to that. A {@code
 * @Version} of a special type will not do: a delete never asks it, and it does not see the entity, whose lock the token has to be
 *     of.
 */
final class FlushGuard
        implements PreInsertEventListener,
                PreUpdateEventListener,
                PreDeleteEventListener,
                PreUpsertEventListener,
                PreCollectionRecreateEventListener,
                PreCollectionUpdateEventListener,
                PreCollectionRemoveEventListener {

    private static final long serialVersionUID = 1L;

    /** The statement goes on. */
    private static final boolean NO_VETO = false;

    /** What else to say of an insert that the database makes the id for. */
    private static final String WITHOUT_ID =
            ". The entity has no id before this insert, as the database makes it: assign"
                    + " the id yourself, take it from a sequence, or name the lock after another key";

    private final transient Floors floors;

    private FlushGuard(Floors floors) {
        this.floors = floors;
    }

    /**
     * Adds the listeners to a factory.
     *
     * @throws LockConfigurationException if it has them
     */
    static void install(EntityManagerFactory factory, Floors floors) {
        EventListenerRegistry registry = factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(EventListenerRegistry.class);
        FlushGuard guard = new FlushGuard(floors);
        try {
            registry.appendListeners(EventType.PRE_INSERT, guard);
        } catch (EventListenerRegistrationException second) {
            throw new LockConfigurationException(
                    "This factory has an EntityGuard already; make one where the factory is made, and share it",
                    second);
        }
        registry.appendListeners(EventType.PRE_UPDATE, guard);
        registry.appendListeners(EventType.PRE_DELETE, guard);
        registry.appendListeners(EventType.PRE_UPSERT, guard);
        registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, guard);
        registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, guard);
        registry.appendListeners(EventType.PRE_COLLECTION_REMOVE, guard);
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        if (event.getEntity() instanceof FencedEntity entity) {
            NamedToken token =
                    EntityGuard.token(manager(event, entity), entity, event.getId() == null ? WITHOUT_ID : "");
            int fence = floors.index(event.getPersister());
            event.getState()[fence] = new Fence(token);
            event.getPersister().setValue(entity, fence, event.getState()[fence]);
        }
        return NO_VETO;
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return raise(event, event.getEntity(), event.getId());
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return raise(event, event.getEntity(), event.getId());
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return raise(event, event.getEntity(), event.getId());
    }

    @Override
    public void onPreRecreateCollection(PreCollectionRecreateEvent event) {
        raise(event);
    }

    @Override
    public void onPreUpdateCollection(PreCollectionUpdateEvent event) {
        raise(event);
    }

    @Override
    public void onPreRemoveCollection(PreCollectionRemoveEvent event) {
        raise(event);
    }

    private void raise(AbstractCollectionEvent event) {
        Object owner = event.getAffectedOwnerOrNull();
        String entity = event.getAffectedOwnerEntityName();
        if (owner == null && floors.mayGuard(entity)) {
            throw new IllegalStateException("A collection of a guarded entity is changed, a " + entity
                    + ", and Hibernate does not tell of which one, so no floor can be raised; find or merge the entity, and change"
                    + " its own collection");
        }
        raise(event, owner, event.getAffectedOwnerIdOrNull());
    }

    private boolean raise(Object event, Object changed, Object id) {
        if (changed instanceof FencedEntity entity) {
            EntityManager manager = manager(event, entity);
            floors.raise(manager, entity, id, EntityGuard.token(manager, entity));
        }
        return NO_VETO;
    }

    /** By reflection, as {@code getSession()} of the events returns one type up to Hibernate 7.1 and another from 7.2 on. */
    private static EntityManager manager(Object event, FencedEntity entity) {
        try {
            Object session = event.getClass().getMethod("getSession").invoke(event);
            if (session instanceof EntityManager manager) {
                return manager;
            }
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException another) {
            throw new IllegalStateException("This version of Hibernate does not tell the session of a flush", another);
        }
        throw new IllegalStateException(entity.getClass().getName() + " is guarded by the lock '"
                + entity.guardingLock() + "', and a stateless session has no token; use an entity manager");
    }
}
