package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import java.util.OptionalInt;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that are created by one request, and what others may have done since the one before. */
class UndisturbedLocksTest extends ZooKeeperProxyScene {

    private static final String LOCK = "/a/a";

    private final ZooKeeperLockProvider provider =
            ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=5m");
    private final ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a?sessionTimeout=5m");
    private final Operator operator = Operator.of(server);

    @BeforeEach
    void connect() {
        // Else the opening of the session could be among the requests that are counted.
        assertThat(other.holder("a")).isEmpty();
    }

    @AfterEach
    void close() {
        operator.close();
        other.close();
        provider.close();
    }

    private static void take(ZooKeeperLockProvider provider) {
        TestClaim claim = TestClaim.once(provider, "a");
        assertThat(claim.granted()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    private long requestsOfTaking() {
        long before = server.requests();
        take(provider);
        return server.requests() - before;
    }

    /** The next claim is created by one request, but for what others do now. */
    private void takeAlone() {
        take(provider);
        take(provider);
        assertThat(requestsOfTaking()).isEqualTo(1 + 1);
    }

    @Proves({"1.1", "7.2"})
    @Test
    void claimBehindAnotherClientsIsContendedAndWokenByItsRelease() {
        takeAlone();
        TestClaim holder = TestClaim.once(other, "a");
        assertThat(holder.granted()).isTrue();

        TestClaim trying = TestClaim.once(provider, "a");
        assertThat(trying.granted()).isFalse();
        takeAloneBehind(holder);
    }

    @Proves("9.8")
    @Test
    void timeOfAGrantIsToldUnlessTheHolderMayHaveWaited() {
        TestClaim first = TestClaim.once(provider, "a");
        assertThat(first.granted()).isTrue();
        assertThat(provider.holder("a"))
                .hasValueSatisfying(holder -> assertThat(holder.since()).isPresent());
        TestClaim waiter = TestClaim.waiting(other, "a");
        assertThat(waiter.granted()).isFalse();
        assertThat(first.released()).isTrue();
        assertThat(waiter.granted()).isTrue();

        assertThat(provider.holder("a"))
                .hasValueSatisfying(holder -> assertThat(holder.since()).isEmpty());
        assertThat(waiter.released()).isTrue();
    }

    @Proves("9.8")
    @Test
    void timeOfALoneGrantIsToldWhileOthersWait() {
        takeAlone();
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = TestClaim.waiting(other, "a");
        assertThat(waiter.granted()).isFalse();

        assertThat(other.holder("a"))
                .hasValueSatisfying(shown -> assertThat(shown.since()).isPresent());
        assertThat(waiter.released()).isFalse();
        assertThat(holder.released()).isTrue();
    }

    private void takeAloneBehind(TestClaim holder) {
        TestClaim waiter = TestClaim.waiting(provider, "a");
        waiter.refused();
        assertThat(operator.queue(LOCK)).hasSize(2);

        assertThat(holder.released()).isTrue();

        soon().until(() -> waiter.mayBeFree.get() > 0);
        assertThat(waiter.granted()).isTrue();
        assertThat(operator.queue(LOCK)).hasSize(1);
        assertThat(waiter.held()).isTrue();
        assertThat(waiter.released()).isTrue();
    }

    @Proves("1.1")
    @Test
    void waiterThatCountedTwoNodesIsWokenToo() {
        takeAlone();
        TestClaim holder = TestClaim.once(other, "a");
        assertThat(holder.granted()).isTrue();
        takeAloneBehind(holder);
    }

    @Test
    void twoClientsThatTakeTurnsDoNotFailEachOther() {
        takeAlone();
        take(other);
        for (int round = 0; round < 3; round++) {
            long before = server.requests();
            take(provider);
            take(other);
            // Once one of the two still expects to be alone, and finds that it is: nobody writes
            // the lock's node but so.
            assertThat(server.requests() - before).isLessThanOrEqualTo(2 * (2 + 1));
        }
        takeAlone();
    }

    @Test
    void versionThatAnotherClientHasChangedCostsOneMoreRequest() {
        takeAlone();
        operator.setText(LOCK, "");

        assertThat(requestsOfTaking()).isEqualTo(1 + 2 + 1);
        takeAlone();
    }

    @Test
    void dataOfAForeignNodeStays() {
        operator.create(CreateMode.PERSISTENT, "/a", "");
        operator.create(CreateMode.PERSISTENT, LOCK, "theirs");
        for (int round = 0; round < 4; round++) {
            take(provider);
        }
        assertThat(operator.text(LOCK)).isEqualTo("theirs");
        assertThat(operator.stat(LOCK).getVersion()).isZero();
        operator.setText(LOCK, "");
        takeAlone();

        operator.setText(LOCK, "theirs again");

        for (int round = 0; round < 4; round++) {
            take(provider);
        }
        assertThat(operator.text(LOCK)).isEqualTo("theirs again");
    }

    @Proves({"1.1", "1.8"})
    @Test
    void nodeOfTheLockThatWasRemovedIsMadeAgain() {
        takeAlone();
        operator.delete(LOCK);

        TestClaim claim = TestClaim.once(provider, "a");
        assertThat(claim.granted()).isTrue();

        assertThat(operator.queue(LOCK)).hasSize(1);
        assertThat(TestClaim.once(other, "a").granted()).isFalse();
        assertThat(claim.released()).isTrue();
        takeAlone();
    }

    /** Its numbers begin anew, and come to those that the client knows. */
    @Proves("1.1")
    @Test
    void nodeOfTheLockThatAnotherClientHasMadeAgainIsCounted() {
        takeAlone();
        operator.delete(LOCK);
        take(other);
        take(other);
        TestClaim holder = TestClaim.once(other, "a");
        assertThat(holder.granted()).isTrue();

        assertThat(TestClaim.once(provider, "a").granted()).isFalse();
        assertThat(holder.held()).isTrue();
    }

    @Proves("6.7")
    @Test
    void tokensAreAboveWhatAnotherClientHasRaisedThemTo() {
        takeAlone();
        for (int raise = 0; raise < 5; raise++) {
            long above = other.highestToken() + 1_000_000;
            other.raiseTokens(above);
            TestClaim claim = TestClaim.once(provider, "a");
            assertThat(claim.token()).isGreaterThan(above);
            assertThat(claim.released()).isTrue();
        }
    }

    @Proves("6.1")
    @Test
    void tokensGrowAndAreThoseThatOthersAreShown() {
        long last = 0;
        for (int round = 0; round < 5; round++) {
            TestClaim claim = TestClaim.once(round == 3 ? other : provider, "a");
            long token = claim.token();
            assertThat(token).isGreaterThanOrEqualTo(last + TokenOffset.TOKENS);
            last = token;
            assertThat(token).isEqualTo(operator.stat(LOCK).getPzxid() * TokenOffset.TOKENS);
            assertThat(other.holder("a")
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
            assertThat(claim.released()).isTrue();
        }
    }

    @Proves("5.6")
    @Test
    void nodeWithALostReplyIsFoundAndDeleted() {
        takeAlone();
        TestClaim claim = TestClaim.once(provider, "a");
        proxy.dropNextReply();
        assertThatThrownBy(claim::granted).isInstanceOf(LockStoreException.class);
        assertThat(operator.queue(LOCK)).hasSize(1);

        assertThat(answered().until(claim::released, any -> true)).isTrue();

        assertThat(operator.queue(LOCK)).isEmpty();
    }

    @Test
    void clientThatMayNotWriteTheLocksNodeTriesOnce() {
        take(provider);
        int all = Perms.CREATE | Perms.READ | Perms.DELETE;
        Operator.call(() -> operator.curator
                .setACL()
                .withACL(List.of(new ACL(all, new Id("world", "anyone"))))
                .forPath(LOCK));
        take(provider);
        assertThat(requestsOfTaking()).isEqualTo(1 + 2 + 1);
        for (int round = 0; round < 3; round++) {
            assertThat(requestsOfTaking()).isEqualTo(2 + 1);
        }
    }

    @Test
    void locksThatWereNotUsedForLongAreForgotten() {
        UndisturbedLocks locks = new UndisturbedLocks();
        for (int lock = 0; lock < 3_000; lock++) {
            for (int number = 0; number < 2; number++) {
                locks.learn("/" + lock, "_c_lock-000000000" + number, OptionalInt.of(5));
            }
            assertThat(locks.version("/" + lock)).hasValue(5);
        }
        assertThat(locks.version("/0")).isEmpty();
        assertThat(locks.version("/2999")).hasValue(5);
    }
}
