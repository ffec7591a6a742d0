package io.holdfast.wrong.memory;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/** No fault at all, for each set of traits: the control. */
enum CorrectMemory implements WrongProvider {
    PLAIN(Traits.PLAIN),
    FEED(Traits.FEED),
    LINE(Traits.LINE),
    SHARED(Traits.SHARED),
    SESSION(Traits.SESSION),
    POLLING(Traits.POLLING);

    private final Traits traits;

    CorrectMemory(Traits traits) {
        this.traits = traits;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(new PlainStore(traits));
    }
}
