package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BorrowingTest {

    private final SQLException byInterrupt = new SQLException("interrupted", new InterruptedException());
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void clearTheFlag() {
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Like pools that clear the flag. */
    @Test
    void interruptIsKeptAndTheWaitContinues() throws SQLException {
        String got = Borrowing.uninterruptibly(() -> {
            if (asked.incrementAndGet() == 1) {
                throw byInterrupt;
            }
            return "a connection";
        });

        assertThat(got).isEqualTo("a connection");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptIsKeptWhenTheWaitIsGivenUp() {
        assertThatThrownBy(() -> Borrowing.uninterruptibly(() -> {
                    asked.incrementAndGet();
                    throw byInterrupt;
                }))
                .isSameAs(byInterrupt);

        assertThat(asked).hasValue(3);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void otherFailureIsThrownAtOnce() {
        SQLException failure = new SQLException("no such host");

        assertThatThrownBy(() -> Borrowing.uninterruptibly(() -> {
                    asked.incrementAndGet();
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(asked).hasValue(1);
    }
}
