package io.holdfast.examples.fencing;

import io.holdfast.lock.jdbc.jpa.Fence;
import io.holdfast.lock.jdbc.jpa.FencedEntity;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the stock by JPA. */
@Entity
@Table(name = "stock_entity")
class StockEntity implements FencedEntity {

    @Id
    private String item = "";

    private int units;

    @Embedded
    private Fence fence = new Fence();

    @Override
    public String guardingLock() {
        return PausedWriter.LOCK;
    }

    int units() {
        return units;
    }

    void setUnits(int units) {
        this.units = units;
    }

    Fence fence() {
        return fence;
    }

    String item() {
        return item;
    }
}
