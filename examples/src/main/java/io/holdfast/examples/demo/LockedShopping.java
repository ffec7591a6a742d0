package io.holdfast.examples.demo;

import io.holdfast.examples.fencing.FencedStock;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.NamedToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Buying under the lock, with its fencing token carried along to the table. */
final class LockedShopping implements Shopping {
    private final String crew;
    private final ThinkTime pace;
    private final Connection connection;
    private final DistributedLock lock;
    private final FencedStock stock;
    private final SaleBook sales;

    LockedShopping(String crew, ThinkTime pace, Connection connection, DistributedLock lock) throws SQLException {
        this.crew = crew;
        this.pace = pace;
        this.connection = connection;
        this.lock = lock;
        this.stock = new FencedStock(connection);
        this.sales = new SaleBook(connection);
    }

    @Override
    public boolean buyOne() throws SQLException, InterruptedException {
        try (LockHandle held = lock.acquire()) {
            NamedToken token = held.namedToken();
            int units = stock.read(ShopDatabase.ITEM, token);
            connection.commit();
            if (units <= 0) {
                return false;
            }
            pace.think();
            sales.add(new SaleBook.Sale(crew, Optional.of(token.token())));
            stock.write(ShopDatabase.ITEM, units - 1, token);
            connection.commit();
            return true;
        }
    }
}
