package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerPermitTest {

    @Test
    void buildWithoutServersNamesTheMissingTag() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ServerPermit.check(Map.of("HOLDFAST_TEST_SERVERS", "refused")))
                .withMessageContaining("@Tag(\"server\")");
    }

    @Test
    void otherBuildsStartServers() {
        assertThatCode(() -> ServerPermit.check(Map.of("HOLDFAST_TEST_SERVERS", "started")))
                .doesNotThrowAnyException();
        assertThatCode(() -> ServerPermit.check(Map.of())).doesNotThrowAnyException();
    }
}
