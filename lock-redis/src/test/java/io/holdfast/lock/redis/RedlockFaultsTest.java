package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redlock while some of five servers are down, silent or wrong. */
class RedlockFaultsTest extends RedlockScene {

    /** A counter that is ahead of all clocks. */
    private static final String HIGH = "9000000000000000";

    /** What happens to a minority of the servers. */
    enum Fault {
        KILLED,
        SILENT,
        FULL,
        FOREIGN;

        void happenTo(RedisServer server) {
            switch (this) {
                case KILLED -> server.kill();
                case SILENT -> server.pause();
                case FULL -> server.command("CONFIG", "SET", "maxmemory", "1");
                case FOREIGN -> server.command("SET", "holdfast:#fence", "no number");
            }
        }
    }

    /** A node may take far longer than the bound: the majority does not wait for it. */
    @Proves({"1.1", "5.4", "6.1"})
    @ParameterizedTest
    @EnumSource
    void minorityStopsNothing(Fault fault) {
        nodes = nodes(5);
        provider = provider(nodes, ALWAYS + "&timeout=1m&connectTimeout=1s");
        long first = grantedAndReleased();
        on(fault::happenTo, 1, 3);
        CompletableFuture<Long> second = CompletableFuture.supplyAsync(this::grantedAndReleased);
        assertThat(second.orTimeout(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS)
                        .join())
                .isGreaterThan(first);
        if (fault == Fault.SILENT) {
            on(RedisServer::resume, 1, 3);
        }
    }

    private void on(Consumer<RedisServer> action, int... which) {
        IntStream.of(which).mapToObj(nodes::get).forEach(action);
    }

    private long grantedAndReleased() {
        TestClaim holder = TestClaim.once(provider, name);
        long token = holder.token();
        TestClaim other = TestClaim.once(provider, name);
        assertThat(other.granted()).isFalse();
        assertThat(holder.held()).isTrue();
        assertThat(provider.holder(name)).isPresent();
        assertThat(holder.released()).isTrue();
        assertThat(provider.holder(name)).isEmpty();
        return token;
    }

    @Proves({"1.6", "9.5"})
    @Test
    void withoutAMajorityEachCallFailsAndNamesTheServersAndAfterwardsWorks() {
        start(3);
        TestClaim holder = hold();
        awaitLockedOnAll();
        on(RedisServer::kill, 0, 2);

        assertThatThrownBy(TestClaim.once(provider, "other-" + name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("acquire of lock 'other-" + name + "'")
                .hasMessageContaining("fewer than 2 of 3 servers")
                .hasMessageContaining(":" + nodes.get(0).port())
                .hasMessageContaining(":" + nodes.get(2).port());
        assertThatThrownBy(holder::held).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> provider.holder(name)).isInstanceOf(LockStoreException.class);

        on(RedisServer::restart, 0, 2);
        Waits.soon()
                .ignoreException(LockStoreException.class)
                .until(() -> provider.holder(name).isPresent());
        assertThat(holder.held()).isTrue();
        on(RedisServer::kill, 0, 2);
        assertThatThrownBy(holder::released).isInstanceOf(LockStoreException.class);
        on(RedisServer::restart, 0, 2);
        Waits.soon()
                .ignoreException(LockStoreException.class)
                .until(() ->
                        holder.claim.release() != null && provider.holder(name).isEmpty());
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
    }

    @Proves("8.4")
    @Test
    void holderWithoutAMajorityLosesTheLockAtItsDeadline() throws Exception {
        nodes = nodes(3);
        try (LockClient client =
                LockClient.connect("redlock://" + nodes.addresses() + "?" + ALWAYS + "&timeout=2s&lease=6s")) {
            LockHandle handle = client.lock(name).acquire();
            on(RedisServer::pause, 0, 1);
            assertThat(handle.lost().toCompletableFuture().get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(LossCause.STORE_LOST);
            assertThat(handle.isHeld()).isFalse();
            on(RedisServer::resume, 0, 1);
        }
    }

    @Proves({"7.2", "3.4"})
    @Test
    void waiterIsWokenAndHolderRenewedWhileAMinorityIsDown() throws Exception {
        nodes = nodes(5);
        String uri = "redlock://" + nodes.addresses() + "?" + ALWAYS + "&timeout=3s&lease=4s";
        try (LockClient holding = LockClient.connect(uri);
                LockClient waiting = LockClient.connect(uri)) {
            LockHandle handle = holding.lock(name).acquire();
            nodes.get(0).kill();
            nodes.get(4).pause();
            CompletableFuture<LockHandle> waiter =
                    waiting.lock(name).acquireAsync().toCompletableFuture();
            // Renewed: the lease is over by then.
            Waits.letPass(Duration.ofSeconds(5));
            assertThat(handle.isHeld()).isTrue();
            assertThat(waiter).isNotDone();
            handle.close();
            waiter.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS).close();
            nodes.get(4).resume();
        }
    }

    @Proves({"1.5", "5.6"})
    @Test
    void nothingStaysOnAServerThatWakesUpLate() {
        start(3);
        assertThat(provider.holder(name)).isEmpty();
        nodes.get(2).pause();
        TestClaim holder = hold();
        assertThat(holder.released()).isTrue();
        // Its requests to the silent server wait there, the release behind the attempt.
        nodes.get(2).resume();
        awaitTakenBackOn(nodes.get(2));
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
    }

    @Proves({"1.5", "5.6"})
    @Test
    void releaseReachesAServerThatWasSilentForLongerThanTheTimeOut() {
        nodes = nodes(3);
        provider = provider(nodes, ALWAYS + "&timeout=2s");
        // The first call may be slow.
        Waits.answered().until(() -> provider.holder(name).isEmpty());
        nodes.get(2).command("CONFIG", "RESETSTAT");
        nodes.get(2).pause();
        TestClaim holder = hold();
        Waits.letPass(Duration.ofMillis(2_200));
        assertThat(holder.released()).isTrue();
        nodes.get(2).resume();
        awaitTakenBackOn(nodes.get(2));
    }

    @ResourceLock("the log")
    @Test
    void outageOfAServerIsLoggedOnceAndSoIsItsEnd() {
        try (WholeLog log = WholeLog.begin()) {
            start(3);
            hold();
            String address = "127.0.0.1:" + nodes.get(2).port();
            nodes.get(2).kill();
            // Without a request nobody tries to connect.
            assertThat(TestClaim.once(provider, "other-" + name).granted()).isTrue();
            Waits.soon().until(() -> log.text().contains("WARNING Redlock: no connection to the server " + address));
            nodes.get(2).restart();
            Waits.soon().until(() -> log.text().contains("Redlock: the server " + address + " is back"));
            assertThat(log.text()).containsOnlyOnce("no connection to the server " + address);
        }
    }

    @Proves("2.5")
    @Test
    void grantsAndRenewalsAreValidForTheLeaseLessTheDrift() {
        nodes = nodes(3);
        provider = provider(nodes, PATIENT + "&driftPercent=10&drift=100ms");
        TestClaim claim = TestClaim.once(provider, name, Duration.ofSeconds(10));
        Duration valid = Duration.ofMillis(8_900);
        assertThat(claim.claim.attempt())
                .isInstanceOfSatisfying(
                        Attempt.Granted.class,
                        granted -> assertThat(granted.validFor()).isEqualTo(valid));
        assertThat(claim.claim.renew()).isEqualTo(new Renewal.Held(valid));
    }

    /** Both the attempt and what takes it back have arrived. */
    private void awaitTakenBackOn(RedisServer server) {
        Waits.soon().until(() -> server.calls("eval") + server.calls("evalsha") >= 2 && !isLockedOn(server));
    }

    /**
     * Two servers refused the claim and two that granted it are down: nobody can tell that it was not in force, and it is free.
     */
    @Proves({"5.3", "5.4"})
    @Test
    void releaseCountsTheServersThatGrantedAndAreDown() {
        start(5);
        on(server -> server.command("SET", "holdfast:" + name, "foreign", "PX", "30000"), 2, 3);
        TestClaim holder = hold();
        on(server -> server.command("DEL", "holdfast:" + name), 2, 3);
        on(RedisServer::kill, 0, 4);
        assertThat(holder.released()).isTrue();
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
    }

    @Proves({"5.3", "8.5"})
    @Test
    void releaseOfARemovedLockIsNotHeldWhileServersAreDown() {
        start(5);
        TestClaim holder = hold();
        awaitLockedOnAll();
        nodes.all().forEach(server -> server.command("DEL", "holdfast:" + name));
        on(RedisServer::kill, 0, 4);
        assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);
    }

    @Proves({"1.5", "1.6"})
    @Test
    void splitVoteIsContentionThatEndsSoonAndLeavesNothing() {
        start(3);
        nodes.get(0).command("SET", "holdfast:" + name, "one", "PX", "30000");
        nodes.get(1).command("SET", "holdfast:" + name, "two", "PX", "30000");
        assertThat(TestClaim.once(provider, name).refused().retryAfter().orElseThrow())
                .isLessThan(Duration.ofSeconds(1));
        // The third server may have granted it after the others had decided.
        awaitTakenBackOn(nodes.get(2));
    }

    @Proves({"1.3", "6.2"})
    @Test
    void repeatedAttemptHasTheSameToken() {
        start(3);
        nodes.get(0).command("SET", "holdfast:#fence", HIGH);
        TestClaim holder = TestClaim.once(provider, name);
        long token = holder.token();
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.held()).isTrue();
        assertThat(holder.token()).isEqualTo(token);
    }

    /** Otherwise the next grant, whose majority may lack the server with the highest counter, had a lower token. */
    @Proves({"6.1", "6.3"})
    @Test
    void majorityCarriesTheTokenOfTheGrant() {
        start(3);
        assertThat(provider.holder(name)).isEmpty();
        nodes.get(0).command("SET", "holdfast:#fence", HIGH);
        nodes.get(2).pause();
        TestClaim holder = TestClaim.once(provider, name);
        long first = holder.token();
        assertThat(first).isGreaterThan(Long.parseLong(HIGH));
        nodes.get(2).resume();
        assertThat(provider.holder(name)
                        .orElseThrow()
                        .fencingToken()
                        .orElseThrow()
                        .value())
                .isEqualTo(first);
        assertThat(holder.released()).isTrue();
        nodes.get(0).kill();
        assertThat(TestClaim.once(provider, name).token()).isGreaterThan(first);
    }

    @Test
    void serverThatStartedWithoutItsLocksKeepsOut() {
        nodes = forgetfulNodes(3);
        provider = provider(nodes, "longestLease=5s&timeout=5s");
        Duration lease = Duration.ofSeconds(3);
        Waits.soon().ignoreException(LockStoreException.class).until(() -> allVote(lease));
        nodes.get(2).restartWithoutData();
        TestClaim holder = TestClaim.once(provider, name, lease);
        assertThat(holder.granted()).isTrue();
        assertThat(isLockedOn(nodes.get(2))).as("kept out").isFalse();
        nodes.get(0).restartWithoutData();

        assertThatThrownBy(TestClaim.once(provider, name, lease)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("it was started lately and may have forgotten locks");
        RedlockLockProvider careless = provider(nodes, "longestLease=100ms");
        // Two holders, as servers vote that have forgotten locks.
        Waits.soon()
                .ignoreException(LockStoreException.class)
                .until(() ->
                        TestClaim.once(careless, name, Duration.ofMillis(100)).granted());
        // The connection to the restarted server may still be opened.
        Waits.soon()
                .ignoreException(LockStoreException.class)
                .until(() -> holder.claim.renew() instanceof Renewal.Lost);
    }

    /** Two are enough for a grant, and a third that was started a second later keeps out for a second longer. */
    private boolean allVote(Duration lease) {
        TestClaim vote = TestClaim.once(provider, "vote-" + name, lease);
        boolean all = vote.granted()
                && nodes.all().stream()
                        .allMatch(server -> server.command("EXISTS", "holdfast:vote-" + name)
                                .equals(1L));
        // Refused by what is left of the vote before, or too late for its lease: neither says that all vote.
        return vote.released() && all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void serverThatIsListedTwiceIsRefused(String host) {
        nodes = nodes(2);
        String again = host + ":" + nodes.get(0).port();
        provider = at("redlock://" + nodes.addresses() + "," + again + "?" + ALWAYS);
        assertThatThrownBy(TestClaim.once(provider, name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is the same server as")
                .hasMessageContaining(again);
    }

    @Test
    void serverThatIsNotDurableIsRefusedWhereDurabilityIsSaid() {
        nodes = forgetfulNodes(3);
        assertThatThrownBy(TestClaim.once(provider(nodes, ALWAYS), name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("appendonly is 'no'");
    }

    @Proves("1.3")
    @Test
    void connectionsThatAreCutCostNothing() {
        start(3);
        TestClaim holder = hold();
        nodes.all().forEach(server -> server.command("CLIENT", "KILL", "TYPE", "normal"));
        assertThat(holder.held()).isTrue();
        nodes.all().forEach(server -> server.command("CLIENT", "KILL", "TYPE", "normal"));
        assertThat(TestClaim.once(provider, name).granted()).isFalse();
    }
}
