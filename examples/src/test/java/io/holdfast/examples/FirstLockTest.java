package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LossCause;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstLockTest {

    @Test
    void eachSaleHasATokenNewerThanTheSaleBefore() throws InterruptedException {
        RecordingStock stock = new RecordingStock();

        try (LockClient client = LockClient.connect("memory:first-lock-test")) {
            assertThat(FirstLock.sellOne(client, stock)).isTrue();
            assertThat(FirstLock.sellOne(client, stock)).isTrue();
        }

        assertThat(stock.tokens).hasSize(2);
        assertThat(stock.tokens.get(1).isNewerThan(stock.tokens.get(0))).isTrue();
        assertThat(stock.losses).isEmpty();
    }

    private static final class RecordingStock implements FirstLock.Stock {
        private final List<FencingToken> tokens = new ArrayList<>();
        private final List<LossCause> losses = new ArrayList<>();

        @Override
        public void sellOne(FencingToken fence) {
            tokens.add(fence);
        }

        @Override
        public void stop(LossCause cause) {
            losses.add(cause);
        }
    }
}
