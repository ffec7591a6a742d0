package io.holdfast.examples.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.tck.LockRule;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FencedStockTest {
    private static final String ITEM = "lamp";
    private static final NamedToken EARLIER = token(ITEM, 9);
    private static final NamedToken LATER = token(ITEM, 10);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=10000";
    private Connection connection;
    private FencedStock stock;

    private static NamedToken token(String item, long number) {
        return new NamedToken("stock:" + item, 0, new FencingToken(number));
    }

    @BeforeEach
    void openTheShop() throws SQLException {
        connection = DriverManager.getConnection(url);
        try (Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE stock (item VARCHAR(200) PRIMARY KEY, units INT NOT NULL,"
                    + " fence BIGINT NOT NULL DEFAULT 0)");
            sql.execute("CREATE TABLE sale (token BIGINT)");
            sql.execute("INSERT INTO stock (item, units) VALUES ('lamp', 100), ('chair', 7)");
        }
        connection.setAutoCommit(false);
        stock = new FencedStock(connection);
    }

    @AfterEach
    void closeTheShop() throws SQLException {
        connection.close();
    }

    @LockRule("6.4")
    void aStaleHoldersWriteIsRefusedAfterALaterHoldersWrite() throws SQLException {
        stock.read(ITEM, EARLIER);
        stock.write(ITEM, 50, LATER);
        connection.commit();

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> stock.write(ITEM, 99, EARLIER))
                .satisfies(refusal -> {
                    assertThat(refusal.token()).isEqualTo(EARLIER);
                    assertThat(refusal.floor()).isEqualTo(LATER.token().value());
                })
                .withMessageContainingAll("'stock:lamp'", "9", "10");
        assertThat(stock.read(ITEM, LATER)).isEqualTo(50);
    }

    @LockRule("6.6")
    void aStaleHoldersWriteIsRefusedOnceALaterHolderHasRead() throws SQLException {
        stock.read(ITEM, EARLIER);
        connection.commit();
        int seenByLater = stock.read(ITEM, LATER);
        connection.commit();

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> stock.write(ITEM, 99, EARLIER));
        connection.rollback();
        stock.write(ITEM, seenByLater - 1, LATER);
        connection.commit();
        assertThat(stock.read(ITEM, LATER)).isEqualTo(99);
    }

    @Test
    void aStaleHoldersReadIsRefusedToo() throws SQLException {
        stock.read(ITEM, LATER);
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> stock.read(ITEM, EARLIER));
    }

    @Test
    void oneHolderReadsAndWritesAsOftenAsItLikes() throws SQLException {
        for (int units = 100; units > 90; units--) {
            assertThat(stock.read(ITEM, EARLIER)).isEqualTo(units);
            stock.write(ITEM, units - 1, EARLIER);
            connection.commit();
        }
        assertThat(stock.read(ITEM, EARLIER)).isEqualTo(90);
    }

    @Test
    void tokensAreComparedAsNumbersOf64Bits() throws SQLException {
        NamedToken beyondInt = token(ITEM, 1L << 40);
        stock.write(ITEM, 1, beyondInt);
        stock.write(ITEM, 2, token(ITEM, Long.MAX_VALUE));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> stock.write(ITEM, 3, beyondInt));
    }

    @Test
    void itemsHaveFloorsOfTheirOwn() throws SQLException {
        stock.write(ITEM, 1, LATER);
        stock.write("chair", 6, token("chair", 9));
        assertThat(stock.read("chair", token("chair", 9))).isEqualTo(6);
    }

    @Test
    void aRefusedWriteTakesTheRestOfItsTransactionWithIt() throws SQLException {
        stock.write(ITEM, 50, LATER);
        connection.commit();
        try (Statement sale = connection.createStatement()) {
            sale.executeUpdate("INSERT INTO sale (token) VALUES (9)");
            assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> stock.write(ITEM, 99, EARLIER));
            connection.rollback();
            try (ResultSet sales = sale.executeQuery("SELECT COUNT(*) FROM sale")) {
                sales.next();
                assertThat(sales.getInt(1)).isZero();
            }
        }
    }

    @Test
    void anUnknownItemIsNotMistakenForAStaleToken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.read("table", token("table", 10)))
                .withMessageContaining("'table'");
        assertThatIllegalArgumentException().isThrownBy(() -> stock.write("table", 1, token("table", 10)));
    }

    @Test
    void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
        connection.setAutoCommit(true);
        assertThatIllegalStateException()
                .isThrownBy(() -> stock.read(ITEM, LATER))
                .withMessageContaining("Auto-commit");
    }

    @Test
    void theWriteOfTheLargestTokenStaysInAnyOrder() throws Exception {
        List<Long> tokens = new ArrayList<>();
        for (long token = 1; token <= 200; token++) {
            tokens.add(token);
        }
        Collections.shuffle(tokens);
        ExecutorService writers = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> writes = new ArrayList<>();
            for (long token : tokens) {
                writes.add(writers.submit(() -> {
                    writeItsToken(token);
                    return null;
                }));
            }
            for (Future<?> write : writes) {
                write.get();
            }
        } finally {
            writers.shutdownNow();
        }
        assertThat(stock.read(ITEM, token(ITEM, 200))).isEqualTo(200);
    }

    private void writeItsToken(long token) throws SQLException {
        try (Connection own = DriverManager.getConnection(url)) {
            own.setAutoCommit(false);
            new FencedStock(own).write(ITEM, Math.toIntExact(token), token(ITEM, token));
            own.commit();
        } catch (StaleTokenException superseded) {
            assertThat(superseded.floor()).isGreaterThan(token);
        }
    }
}
