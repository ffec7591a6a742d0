package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.Fence;
import io.holdfast.lock.jdbc.jpa.FencedEntity;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;

/** An entity of an application whose lock protects it, with a guard. */
@Entity
@Table(name = "guarded_stock")
class GuardedStock implements FencedEntity {

    @Id
    private Long id;

    private int units;

    @ElementCollection
    private List<String> buyers = new ArrayList<>();

    @Embedded
    private Fence fence = new Fence();

    GuardedStock() {}

    GuardedStock(long id, int units) {
        this.id = id;
        this.units = units;
    }

    @Override
    public String guardingLock() {
        return lock(id);
    }

    static String lock(long id) {
        return "stock:" + id;
    }

    int units() {
        return units;
    }

    void sellOne() {
        units--;
    }

    List<String> buyers() {
        return buyers;
    }

    @Override
    public String toString() {
        return "GuardedStock[" + id + ", " + units + ", " + fence + "]";
    }
}
