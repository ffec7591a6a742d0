package io.holdfast.lock.engine;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import java.util.List;
import java.util.Objects;

/**
 * What a client is opened with.
 *
 * @param defaults the options of locks that are made without any
 * @param listeners who hears what happens
 */
public record ClientSettings(LockOptions defaults, List<LockListener> listeners) {

    /**
     * Creates settings with a copy of the list.
     *
     * @param defaults the options of locks that are made without any
     * @param listeners who hears what happens
     */
    public ClientSettings {
        Objects.requireNonNull(defaults, "defaults");
        Objects.requireNonNull(listeners, "listeners");
        listeners = List.copyOf(listeners);
    }
}
