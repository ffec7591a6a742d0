package io.holdfast.wrong.memory;

import io.holdfast.wrong.memory.PlainLock.Grant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store that keeps the record of a grant whose lease has ended, until its lock is granted again or freed. */
class RecordKeepingStore extends PlainStore {

    private final Map<String, Grant> ended = new HashMap<>();

    RecordKeepingStore() {
        super(Traits.PLAIN);
    }

    @Override
    void dropEnded(PlainLock lock) {
        Grant grant = lock.grant;
        super.dropEnded(lock);
        if (grant != null && lock.grant == null) {
            ended.put(lock.key, grant);
        }
    }

    @Override
    void end(PlainLock lock, String name) {
        ended.remove(lock.key);
        super.end(lock, name);
    }

    /** Removes the record of the last grant of a lock, if its lease has ended. */
    @Nullable
    Grant takeEnded(PlainLock lock) {
        return ended.remove(lock.key);
    }
}
