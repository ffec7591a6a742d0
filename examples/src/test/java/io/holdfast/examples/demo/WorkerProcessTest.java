package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerProcessTest {

    @Test
    void aWorkerEndsWhenItsDirectorIsGone() throws Exception {
        try (ShopDatabase shop = ShopDatabase.open()) {
            Process worker = start(new BuyerCrew.Order(
                            "crew", shop.url(), Optional.empty(), 1, Duration.ofMillis(1), Duration.ofSeconds(1))
                    .toWords());
            try {
                assertThat(worker.inputReader().readLine()).isEqualTo(BuyerCrew.READY);
                worker.getOutputStream().close();
                assertThat(worker.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    @Test
    void ordersSurviveTheCommandLine() {
        BuyerCrew.Order crew = new BuyerCrew.Order(
                "crew-1", "jdbc:h2:mem:it", Optional.of("memory:it"), 4, Duration.ofMillis(12), Duration.ofSeconds(15));
        SleepyHolder.Order holder =
                new SleepyHolder.Order("jdbc:h2:mem:it", "memory:it", Duration.ofMillis(1500), false);
        assertThat(BuyerCrew.Order.parse(crew.toWords())).isEqualTo(crew);
        assertThat(SleepyHolder.Order.parse(holder.toWords())).isEqualTo(holder);
    }

    private static Process start(List<String> order) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName()));
        line.addAll(order);
        return new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
