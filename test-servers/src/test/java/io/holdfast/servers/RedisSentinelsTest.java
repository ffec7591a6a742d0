package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class RedisSentinelsTest {

    @Test
    void replicaTakesOverFromAKilledMasterWhichFollowsWhenItIsBack() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            RedisServer former = sentinels.master();
            try (RespConnection writer = former.connect()) {
                writer.command("SET", "k", "v");
                assertThat(writer.command("WAIT", "2", "5000")).isEqualTo(2L);
            }

            former.kill();
            RedisServer master = sentinels.awaitMasterOtherThan(former);

            assertThat(master.command("GET", "k")).isEqualTo("v");
            former.restart();
            sentinels.awaitWhole();
            assertThat(former.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void failOverWorksWithPasswords() {
        try (RedisSentinels sentinels = RedisSentinels.startWithPasswords("of-servers", "of-sentinels")) {
            assertThat(sentinels.failOver()).isNotSameAs(sentinels.servers().get(0));
        }
    }
}
