package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.LockNaming.Topology;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.api.RedissonClient;

/** Renewals of many locks on the two masters of a Redis Cluster. Mostly the tests wait for nodes to meet. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
@Tag("server")
class ClusterNodesTest {

    private static final int EACH = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private RedissonCluster cluster;
    private RedisServer first;
    private RedisServer second;
    private RedissonClient redisson;
    private RedissonLockProvider provider;
    private List<Claim> onFirst;
    private List<Claim> onSecond;

    @BeforeEach
    void holdLocksOnBoth() {
        cluster = RedissonCluster.of(2);
        first = cluster.nodes().get(0);
        second = cluster.nodes().get(1);
        redisson = cluster.client();
        provider = RedissonLockProvider.over(redisson)
                .layout(Layout.LOCK)
                .timeout(TIMEOUT)
                .build();
        onFirst = granted(cluster.namesOn(0));
        onSecond = granted(cluster.namesOn(1));
    }

    @AfterEach
    void close() {
        provider.close();
        redisson.shutdown(0, 2, TimeUnit.SECONDS);
        cluster.close();
    }

    private List<Claim> granted(Stream<String> names) {
        return names.limit(EACH)
                .map(name -> TestClaim.once(provider, name))
                .peek(claim -> answered().until(claim::granted))
                .map(claim -> claim.claim)
                .toList();
    }

    /** In the order of their grants, as the engine passes them. */
    @SafeVarargs
    private static List<Claim> mixed(List<Claim>... several) {
        List<Claim> mixed = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            for (List<Claim> each : several) {
                if (i < each.size()) {
                    mixed.add(each.get(i));
                }
            }
        }
        return mixed;
    }

    private void assertOnly(List<Claim> held, List<Claim> renewed) {
        List<Renewal> renewals = provider.renewAll(renewed);
        assertThat(renewals).hasSameSizeAs(renewed);
        for (int i = 0; i < renewed.size(); i++) {
            assertThat(renewals.get(i))
                    .isInstanceOf(held.contains(renewed.get(i)) ? Renewal.Held.class : Renewal.Unknown.class);
        }
    }

    @Proves("3.6")
    @Test
    void locksOnAHealthyMasterAreRenewedWhileTheOtherIsDead() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        second.kill();

        for (int round = 0; round < 5; round++) {
            assertOnly(onFirst, all);
        }
    }

    @Proves("3.6")
    @Test
    void locksOnAHealthyMasterAreRenewedWhileTheOtherHangs() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        second.pause();

        for (int round = 0; round < 3; round++) {
            assertOnly(onFirst, all);
        }
        second.resume();
        // Its connections may still be waiting for replies of before.
        soon().untilAsserted(() -> assertOnly(all, all));
    }

    @Proves("3.6")
    @Test
    void lockWithoutANodeDoesNotKeepOthersFromBeingRenewed() {
        List<Claim> nowhere = cluster.namesOnNone()
                .limit(1)
                .map(name -> TestClaim.once(provider, name).claim)
                .toList();

        assertOnly(onFirst, mixed(nowhere, onFirst));
    }

    @Proves("3.6")
    @Test
    void masterWithoutScriptsIsSentThemWhileTheOtherHangs() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        first.command("SCRIPT", "FLUSH");
        second.pause();

        assertOnly(onFirst, all);
        second.resume();
    }

    @Test
    void bothMastersAreSentTheirScriptsInTheSameCall() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        cluster.nodes().forEach(node -> node.command("SCRIPT", "FLUSH"));

        assertOnly(all, all);
    }

    @Test
    void movedLockIsRenewedAtItsNewMaster() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        String moved = cluster.namesOn(0).findFirst().orElseThrow();
        cluster.move(cluster.slot(moved), 0, 1);
        second.command("PEXPIRE", moved, "5000");

        assertOnly(all, all);

        assertThat((Long) second.command("PTTL", moved)).isGreaterThan(5_000);
    }

    @Test
    void movedLockIsRenewedAtAMasterWithoutScripts() {
        List<Claim> all = mixed(onSecond, onFirst);
        assertOnly(all, all);
        cluster.move(cluster.slot(cluster.namesOn(0).findFirst().orElseThrow()), 0, 1);
        second.command("SCRIPT", "FLUSH");

        assertOnly(all, all);
    }

    @Test
    void answersTellTheTimeOfTheMasterThatGaveThem() {
        String firstId = (String) first.command("CLUSTER", "MYID");
        String secondId = (String) second.command("CLUSTER", "MYID");
        List<Claim> claims = List.of(onFirst.get(0), onSecond.get(0), onFirst.get(1));
        assertClocks(claims, firstId, secondId, firstId);

        cluster.move(cluster.slot(cluster.namesOn(0).findFirst().orElseThrow()), 0, 1);
        // The client does not know that it moved.
        assertClocks(claims, secondId, secondId, firstId);
    }

    private void assertClocks(List<Claim> claims, Object... clocks) {
        assertThat(provider.renewAll(claims))
                .extracting(answer -> ToldTime.of(answer).orElseThrow().clock())
                .containsExactly(clocks);
        assertThat(claims)
                .extracting(claim -> ToldTime.of(claim.renew()).orElseThrow().clock())
                .containsExactly(clocks);
        assertThat(claims)
                .extracting(claim -> ToldTime.of(claim.attempt()).orElseThrow().clock())
                .containsExactly(clocks);
    }

    @Test
    void keysOfOneMasterHaveOneOwner() {
        KeyOwners owners = KeyOwners.of(redisson, Topology.CLUSTER);
        List<Object> ofFirst = owners(owners, cluster.namesOn(0));
        List<Object> ofSecond = owners(owners, cluster.namesOn(1));

        assertThat(ofFirst).hasSize(1);
        assertThat(ofSecond).hasSize(1).isNotEqualTo(ofFirst);
        assertThat(owners(owners, cluster.namesOnNone()))
                .doesNotContainAnyElementsOf(ofFirst)
                .doesNotContainAnyElementsOf(ofSecond);
    }

    private static List<Object> owners(KeyOwners owners, Stream<String> names) {
        return names.limit(EACH).map(owners::ownerOf).distinct().toList();
    }

    @Test
    void wrappedClientKeepsItsLocks() {
        RedissonClient wrapped = (RedissonClient) Proxy.newProxyInstance(
                RedissonClient.class.getClassLoader(),
                new Class<?>[] {RedissonClient.class},
                (proxy, method, arguments) -> method.invoke(redisson, arguments));
        try (RedissonLockProvider over =
                RedissonLockProvider.over(wrapped).timeout(TIMEOUT).build()) {
            second.kill();
            List<Claim> claims = cluster.namesOn(0)
                    .skip(EACH)
                    .limit(EACH)
                    .map(name -> TestClaim.once(over, name))
                    .filter(TestClaim::granted)
                    .map(claim -> claim.claim)
                    .toList();
            List<Claim> all = new ArrayList<>(claims);
            all.add(TestClaim.once(over, cluster.namesOn(1).findFirst().orElseThrow()).claim);

            assertThat(over.renewAll(all))
                    .hasSize(EACH + 1)
                    .filteredOn(Renewal.Held.class::isInstance)
                    .hasSize(EACH);
        }
    }

    /** Some slots have no master. */
    @Test
    void raiseFailsAsAWhole() {
        assertThatThrownBy(() -> provider.raiseTokens(5)).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(provider::highestToken).isInstanceOf(LockStoreException.class);
    }
}
