package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** The meaning of the codes that the client answers with. */
class ReplyTest {

    private static final int NO_CODE = -12_345;

    @Test
    void unknownCodeIsAFailure() {
        Reply<String> reply = new Reply<>(Duration.ofSeconds(10));

        reply.arrives(NO_CODE, null);

        assertThat(reply.await().code()).isEqualTo(Code.SYSTEMERROR);
    }

    @Test
    void missingReplyIsAnUnknownOutcome() {
        RequestResult<String> answer = new Reply<String>(Duration.ZERO).await();

        assertThat(answer.isUnknown()).isTrue();
    }

    @Test
    void interruptIsKeptAndDoesNotEndTheWait() {
        Reply<String> reply = new Reply<>(Duration.ofSeconds(10));
        reply.arrives(Code.OK.intValue(), "here");
        Thread.currentThread().interrupt();

        assertThat(reply.await().get()).isEqualTo("here");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void outcomeIsUnknownOnlyIfTheServerMayHaveDoneIt() {
        Set<Code> unknown = EnumSet.allOf(Code.class).stream()
                .filter(code -> new RequestResult<>(code, null).isUnknown())
                .collect(Collectors.toSet());

        assertThat(unknown)
                .containsExactlyInAnyOrder(
                        Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.REQUESTTIMEOUT, Code.SESSIONEXPIRED);
    }
}
