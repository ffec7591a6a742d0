package io.holdfast.lock.tck;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A class of the kit. Its tests mostly wait and share nothing, so they run in parallel if the user of the kit has enabled JUnit's
 * parallel execution.
 */
@ExtendWith(KitExtension.class)
@Execution(ExecutionMode.CONCURRENT)
@TestMethodOrder(LengthyFirst.class)
abstract class KitCase implements Rules {

    /** A test that timed out goes on in its thread while another one closes the kit. */
    private volatile @Nullable Kit kit;

    /**
     * Makes a harness. Called several times for each test, also before the {@code @BeforeEach} methods of the class. Slow work,
     * such as the start of a server, belongs in a {@code @BeforeAll} method. A test that the kit repeats, as it was inconclusive,
     * gets a new harness, and no second {@code @BeforeEach}.
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
