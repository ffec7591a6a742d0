package io.holdfast.lock.jdbc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.access.AccessType;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** A second-level cache in memory, which records its regions and entries. */
public final class KeptRegions extends RegionFactoryTemplate {

    private static final long serialVersionUID = 1;

    /** The entities that have a region. */
    static final List<String> ENTITIES = new CopyOnWriteArrayList<>();

    /** The entries: an entity's name and its key. */
    static final List<String> PUT = new CopyOnWriteArrayList<>();

    /** For Hibernate. */
    public KeptRegions() {}

    /** Without the marks of other strategies for a planned write. */
    @Override
    public AccessType getDefaultAccessType() {
        return AccessType.NONSTRICT_READ_WRITE;
    }

    @Override
    protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> values) {
        ENTITIES.clear();
        PUT.clear();
    }

    @Override
    protected void releaseFromUse() {
        // In memory, and not shared.
    }

    @Override
    protected DomainDataStorageAccess createDomainDataStorageAccess(
            DomainDataRegionConfig region, DomainDataRegionBuildingContext context) {
        region.getEntityCaching()
                .forEach(entity -> ENTITIES.add(entity.getNavigableRole().getFullPath()));
        return new Region();
    }

    @Override
    protected StorageAccess createQueryResultsRegionStorageAccess(String region, SessionFactoryImplementor factory) {
        return new Region();
    }

    @Override
    protected StorageAccess createTimestampsRegionStorageAccess(String region, SessionFactoryImplementor factory) {
        return new Region();
    }

    private static final class Region implements DomainDataStorageAccess {
        private final Map<Object, Object> values = new ConcurrentHashMap<>();

        @Override
        public Object getFromCache(Object key, SharedSessionContractImplementor session) {
            return values.get(key);
        }

        @Override
        public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
            PUT.add(key.toString());
            values.put(key, value);
        }

        @Override
        public boolean contains(Object key) {
            return values.containsKey(key);
        }

        @Override
        public void evictData() {
            values.clear();
        }

        @Override
        public void evictData(Object key) {
            values.remove(key);
        }

        @Override
        public void release() {
            values.clear();
        }
    }
}
