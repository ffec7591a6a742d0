package io.holdfast.lock.jdbc;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** The same without a guard. */
@Entity
@Table(name = "unguarded_stock")
class UnguardedStock {

    @Id
    private Long id;

    private int units;

    UnguardedStock() {}

    UnguardedStock(long id, int units) {
        this.id = id;
        this.units = units;
    }

    int units() {
        return units;
    }

    void sellOne() {
        units--;
    }
}
