package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.Proves;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A script may use the keys and channels of one slot only. */
class ClusterKeysTest {

    private static final String[] NAMES = {
        "a", "stock:42", "{", "}", "{}", "{}b", "a{b}c", "}{", "{{b}}", "ü{ü}", "a{b", "{12}"
    };

    @ParameterizedTest
    @ValueSource(strings = {"holdfast:", "", "app:", "{app}:", "a{b}c{", "}", "x{y}"})
    void counterAndChannelLieInTheSlotOfTheLock(String prefix) {
        KeySpace keys = new KeySpace(prefix).inCluster();
        for (String name : NAMES) {
            String key = keys.lockKey(name);
            int slot = JedisClusterCRC16.getSlot(key);
            assertThat(key).isEqualTo(prefix + name);
            assertThat(JedisClusterCRC16.getSlot(keys.counterKey(name)))
                    .as(name)
                    .isEqualTo(slot);
            assertThat(JedisClusterCRC16.getSlot(keys.channel(name))).as(name).isEqualTo(slot);
            assertThat(keys.counterKeys()).contains(keys.counterKey(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "a{b", "{}", "{}a{b}", "}{"})
    void prefixWithHalfAHashTagIsRefused(String prefix) {
        KeySpace keys = new KeySpace(prefix);
        assertThatThrownBy(keys::inCluster)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'prefix'");
    }

    /** A contract between the versions of the clients. */
    @Test
    void tagOfASlotIsTheSmallestNumberThatLiesInIt() {
        assertThat(new KeySpace("holdfast:").inCluster().counterKey("a")).isEqualTo("holdfast:#fence:{42980}");
        Set<Integer> found = new HashSet<>();
        for (int number = 0; found.size() < HashTags.SLOTS; number++) {
            int slot = JedisClusterCRC16.getSlot(Integer.toString(number));
            if (found.add(slot)) {
                assertThat(HashTags.of(slot)).isEqualTo(Integer.toString(number));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"holdfast:,16384", "'',16384", "{app}:,1"})
    void prefixHasACounterInEachSlotThatItsLocksMayHave(String prefix, int slots) {
        assertThat(new KeySpace(prefix).inCluster().counterKeys())
                .doesNotHaveDuplicates()
                .hasSize(slots);
        assertThat(new KeySpace(prefix).counterKeys()).hasSize(1);
    }

    @Proves("1.4")
    @Test
    void lockNameThatIsACounterIsRefused() {
        KeySpace keys = new KeySpace("holdfast:").inCluster();
        assertThatThrownBy(() -> keys.lockKey("#fence:{42980}"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("fencing counter");
        assertThat(keys.lockKey("#fence")).isEqualTo("holdfast:#fence");
    }
}
