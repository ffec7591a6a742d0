package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.NamedToken;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;

/**
 * The floor of a {@link FencedEntity} in its row: the epoch and the number of the highest token that has entered or changed it,
 * in the columns {@code fence_epoch} and {@code fence_token}. An {@link EntityGuard} alone writes them, by statements that
 * compare and set, so they are not updatable by the entity itself.
 *
 * <p>Rows that were there before have 0 and 0: {@code NOT NULL DEFAULT 0}.
 */
@Embeddable
public class Fence {

    @Column(name = "fence_epoch", nullable = false, updatable = false)
    private int epoch;

    @Column(name = "fence_token", nullable = false, updatable = false)
    private long token;

    /** Creates a fence that has seen no token. */
    public Fence() {}

    /** The fence of a row that a holder inserts. */
    Fence(NamedToken first) {
        this.epoch = first.epoch();
        this.token = first.token().value();
    }

    /** The floor as it was when the entity was read; the row's may be higher. */
    @Override
    public String toString() {
        return "Fence[" + epoch + ":" + token + "]";
    }
}
