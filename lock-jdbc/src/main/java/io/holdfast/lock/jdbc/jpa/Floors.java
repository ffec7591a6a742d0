package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.table.Floor;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.EntityType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Compares tokens with the floors in the rows of guarded entities, and raises these.
 *
 * @param statements those of each guarded class
 */
record Floors(Map<Class<?>, Statements> statements) {

    /**
     * The statements of a class, in JPQL. They leave the persistence context alone.
     *
     * @param fence the name of the attribute of the type {@link Fence}
     */
    record Statements(String fence, String raise, String read) {

        /** A row whose fence is empty has seen nothing. */
        static Statements of(String entity, String fence) {
            String epoch = "coalesce(e." + fence + ".epoch, 0)";
            String token = "coalesce(e." + fence + ".token, 0)";
            return new Statements(
                    fence,
                    "UPDATE " + entity + " e SET e." + fence + ".epoch = :epoch, e." + fence + ".token = :token"
                            + " WHERE id(e) = :id AND (" + epoch + " < :epoch OR (" + epoch + " = :epoch AND " + token
                            + " <= :token))",
                    "SELECT " + epoch + ", " + token + " FROM " + entity + " e WHERE id(e) = :id");
        }
    }

    static Floors of(EntityManagerFactory factory) {
        Map<Class<?>, Statements> found = factory.getMetamodel().getEntities().stream()
                .filter(entity -> FencedEntity.class.isAssignableFrom(entity.getJavaType()))
                .collect(Collectors.toUnmodifiableMap(EntityType::getJavaType, entity -> statements(factory, entity)));
        if (found.isEmpty()) {
            throw new LockConfigurationException("No entity of this factory implements " + FencedEntity.class.getName()
                    + "; needed is at least one, with an attribute of the type " + Fence.class.getName());
        }
        return new Floors(found);
    }

    private static Statements statements(EntityManagerFactory factory, EntityType<?> entity) {
        String fence = entity.getAttributes().stream()
                .filter(attribute -> attribute.getJavaType() == Fence.class)
                .map(Attribute::getName)
                .findFirst()
                .orElseThrow(() ->
                        new LockConfigurationException(entity.getJavaType().getName() + " implements "
                                + FencedEntity.class.getSimpleName() + "; needed is an attribute of the type "
                                + Fence.class.getName()));
        EntityPersister persister = factory.unwrap(SessionFactoryImplementor.class)
                .getMappingMetamodel()
                .getEntityDescriptor(entity.getJavaType());
        if (persister.getPropertyUpdateability()[index(persister, fence)]) {
            throw new LockConfigurationException(
                    "The columns of " + entity.getJavaType().getName() + "." + fence
                            + " are updatable, so that a flush would write an old floor; needed is updatable = false where an"
                            + " @AttributeOverride gives them other names");
        }
        if (persister.getSqmMultiTableMutationStrategy() != null) {
            throw new LockConfigurationException(
                    entity.getJavaType().getName() + " is mapped to several tables, so that"
                            + " no single statement can compare its floor and raise it; allowed is one table, as with"
                            + " InheritanceType.SINGLE_TABLE");
        }
        return Statements.of(entity.getName(), fence);
    }

    /** The index of the fence in the state of an entity. */
    int index(EntityPersister persister) {
        return index(persister, of(persister.getMappedClass()).fence());
    }

    /** Whether entities of a type, by Hibernate's name of it, or of a subtype can be guarded. */
    boolean mayGuard(String entityName) {
        return statements.keySet().stream()
                .flatMap(guarded -> Stream.<Class<?>>iterate(guarded, Objects::nonNull, Class::getSuperclass))
                .anyMatch(type -> type.getName().equals(entityName));
    }

    private static int index(EntityPersister persister, String attribute) {
        return List.of(persister.getPropertyNames()).indexOf(attribute);
    }

    private Statements of(Class<?> guarded) {
        Statements found = statements.get(guarded);
        if (found == null) {
            throw new IllegalArgumentException(guarded.getName() + " is not an entity of the guard's factory");
        }
        return found;
    }

    /**
     * Raises the floor of an entity to a token, and locks its row until the end of the transaction.
     *
     * @throws StaleTokenException if the floor is higher
     * @throws OptimisticLockException if there is no such row, or if it came between two statements
     */
    void raise(EntityManager session, FencedEntity entity, Object id, NamedToken token) {
        Statements statement = of(Hibernate.getClass(entity));
        // Without a flush before it: this may be in the middle of one.
        int raised = session.createQuery(statement.raise())
                .setFlushMode(FlushModeType.COMMIT)
                .setParameter("epoch", token.epoch())
                .setParameter("token", token.token().value())
                .setParameter("id", id)
                .executeUpdate();
        if (raised == 0) {
            boolean isFloor = locked(session, entity, id, statement).isRaisedTo(token);
            if (!isFloor) {
                throw gone(entity, id, "came between two statements; repeat the transaction");
            }
        }
    }

    /** Reads with a lock, so that it is the newest row also where a transaction reads of a snapshot, as in MariaDB. */
    private static Floor locked(EntityManager session, FencedEntity entity, Object id, Statements statement) {
        Object[] floor = session
                .createQuery(statement.read(), Object[].class)
                .setFlushMode(FlushModeType.COMMIT)
                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                .setParameter("id", id)
                .getResultList()
                .stream()
                .findFirst()
                .orElseThrow(() -> gone(entity, id, "is not there any more"));
        return new Floor(((Number) floor[0]).intValue(), ((Number) floor[1]).longValue());
    }

    private static OptimisticLockException gone(FencedEntity entity, Object id, String reason) {
        return new OptimisticLockException(
                "The row of " + entity.getClass().getName() + " " + id + " " + reason, null, entity);
    }
}
