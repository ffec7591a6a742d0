package io.holdfast.examples;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A count in the database that reads first and writes later: two sales at once would count as one. */
@Service
public class SaleBook {

    private final JdbcTemplate database;

    SaleBook(JdbcTemplate database) {
        this.database = database;
        database.execute("CREATE TABLE sale_book (sold INTEGER NOT NULL)");
        database.update("INSERT INTO sale_book VALUES (0)");
    }

    /** Counts one sale more, in a transaction. */
    @Transactional
    public void add() {
        database.update("UPDATE sale_book SET sold = ?", sold() + 1);
    }

    /**
     * Tells the count.
     *
     * @return the sales so far
     */
    public int sold() {
        return database.queryForObject("SELECT sold FROM sale_book", Integer.class);
    }
}
