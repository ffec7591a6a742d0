package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import java.time.Duration;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.Scheduled;

/** A scheduled task under ShedLock's lock and ours, while the fleet moves from the one to the other. */
public class ShedLockReport {

    private final LockClient client;
    private final Runnable report;

    /** Creates the task. */
    public ShedLockReport(LockClient client, Runnable report) {
        this.client = client;
        this.report = report;
    }

    // tag::first[]
    @Scheduled(cron = "0 0 2 * * *")
    @SchedulerLock(name = "report", lockAtMostFor = "10m")
    public void write() throws InterruptedException {
        client.lock("report").tryRun(Duration.ZERO, report::run);
    }
    // end::first[]
}
