package io.holdfast.lock.tck;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A class of the kit. Its tests spend most of their time waiting and share nothing, so they run side by side where the user of
 * the kit has enabled JUnit's parallel execution; where not, this has no effect.
 */
@ExtendWith(KitExtension.class)
@Execution(ExecutionMode.CONCURRENT)
abstract class KitCase implements Rules {

    private @Nullable Kit kit;

    /**
     * Makes a harness. Called several times for each test, also before the {@code @BeforeEach} methods of the class: what
     * takes long, such as starting a server, belongs into a {@code @BeforeAll} method.
     *
     * @return a new harness on the store under test; the kit closes it
     */
    protected abstract LockHarness harness();

    void open(Kit opened) {
        this.kit = opened;
    }

    @Override
    public final Kit kit() {
        return Objects.requireNonNull(kit, "the kit is open only while a test runs");
    }
}
