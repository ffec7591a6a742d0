package io.holdfast.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;

import com.tngtech.archunit.core.domain.JavaAccess;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.function.Predicate;

/** Which clocks may be read. */
final class TimeRules {

    private TimeRules() {}

    static List<ProjectRule> of(Codebase code) {
        Predicate<JavaAccess<?>> wallClock = Calls.to(System.class, "currentTimeMillis")
                .or(Calls.to(Instant.class, "now"))
                .or(Calls.to(LocalDate.class, "now"))
                .or(Calls.to(LocalDateTime.class, "now"))
                .or(Calls.to(OffsetDateTime.class, "now"))
                .or(Calls.to(ZonedDateTime.class, "now"))
                .or(Calls.to(Calendar.class, "getInstance"))
                .or(Calls.withParameters(0, Calls.to(Date.class, "<init>")))
                .or(access -> access.getTargetOwner().isEquivalentTo(Clock.class)
                        && access.getTarget().getName().matches("system.*|tick.*"));
        return List.of(
                Calls.none("no wall clock", code.production(), wallClock),
                Calls.none(
                        "the monotonic clock is read by the system ticker alone",
                        code.production()
                                .and(not(code.named("core.runtime.SystemTicker", "core.memory.MemoryStore")))
                                // These limit the time of one call or connection of a backend and count no lease. Those
                                // of Redis and ZooKeeper also measure how late within a call the request was sent.
                                .and(not(code.named(
                                        "redis.PassedTime",
                                        "redisson.CallTime",
                                        "jdbc.table.Stopwatch",
                                        "zookeeper.Elapsed"))),
                        Calls.to(System.class, "nanoTime")));
    }
}
