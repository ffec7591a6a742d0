package io.holdfast.lock.jdbc;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreRemove;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An entity of an application, in a persistence unit that has the locks, too. */
@Entity
@Table(name = "sale")
class Sale {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String item;

    Sale() {}

    Sale(String item) {
        this.item = item;
    }

    Long id() {
        return id;
    }

    String item() {
        return item;
    }

    /** A default listener of the unit. */
    static class Curious {

        static final List<Object> SEEN = new CopyOnWriteArrayList<>();

        @PrePersist
        @PreUpdate
        @PreRemove
        void see(Object entity) {
            SEEN.add(entity);
        }
    }
}
