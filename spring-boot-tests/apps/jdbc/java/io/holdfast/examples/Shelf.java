package io.holdfast.examples;

import io.holdfast.lock.jdbc.jpa.Fence;
import io.holdfast.lock.jdbc.jpa.FencedEntity;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A shelf with units for sale, which only the holder of its lock changes. */
@Entity
public class Shelf implements FencedEntity {

    @Id
    private Long id;

    private int units;

    @Embedded
    private Fence fence = new Fence();

    /** For JPA. */
    protected Shelf() {}

    Shelf(long id, int units) {
        this.id = id;
        this.units = units;
    }

    @Override
    public String guardingLock() {
        return "shelf:" + id;
    }

    /**
     * Sells a unit.
     *
     * @return how many are left
     */
    public int sellOne() {
        units--;
        return units;
    }

    @Override
    public String toString() {
        return "Shelf " + id + " with " + units + " units, " + fence;
    }
}
