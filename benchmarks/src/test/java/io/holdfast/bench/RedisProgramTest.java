package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RedisProgramTest {

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void theServerThatIsMeasuredHasTheAllocatorOfThoseThatPeopleRun() throws IOException, InterruptedException {
        MeasuredRedis server = new MeasuredRedis(RedisProgram.unpacked());
        try {
            assertThat(server.version()).matches("Redis 6\\.2\\.[0-9]+ with jemalloc-.*");
        } finally {
            server.close();
        }
    }

    @Test
    void anotherServerIsMeasuredIfItIsGiven() {
        MeasuredRedis server = new MeasuredRedis(Optional.empty());
        try {
            assertThat(server.version()).startsWith("Redis 7.0.15 with ");
        } finally {
            server.close();
        }
    }
}
