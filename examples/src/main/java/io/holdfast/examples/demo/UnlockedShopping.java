package io.holdfast.examples.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Buying without a lock. The stock may change unnoticed between the read and the write. */
final class UnlockedShopping implements Shopping {
    private final String crew;
    private final ThinkTime pace;
    private final Connection connection;
    private final PlainStock stock;
    private final SaleBook sales;

    UnlockedShopping(String crew, ThinkTime pace, Connection connection) {
        this.crew = crew;
        this.pace = pace;
        this.connection = connection;
        this.stock = new PlainStock(connection);
        this.sales = new SaleBook(connection);
    }

    @Override
    public boolean buyOne() throws SQLException {
        int units = stock.read(ShopDatabase.ITEM);
        connection.commit();
        if (units <= 0) {
            return false;
        }
        pace.think();
        sales.add(new SaleBook.Sale(crew, Optional.empty()));
        stock.write(ShopDatabase.ITEM, units - 1);
        connection.commit();
        return true;
    }
}
