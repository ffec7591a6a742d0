package io.holdfast.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodeVersionTest {

    private static final String HASH = "0123456789abcdef0123456789abcdef01234567\n";

    private static CodeVersion of(String changes) {
        return new CodeVersion(arguments -> {
            assertThat(arguments)
                    .contains(":(exclude)docs", ":(exclude)evidence")
                    .doesNotContain(":(exclude)SPEC.md");
            return arguments.get(0).equals("log") ? HASH : changes;
        });
    }

    @Test
    void commitIsShort() {
        assertThat(of("").commit()).isEqualTo("0123456789ab");
    }

    @Test
    void codeThatIsNotCommittedIsRefusedWithItsFiles() {
        of("").requireCommitted();
        assertThatThrownBy(of(" M lock-core/pom.xml\n")::requireCommitted)
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("Commit or stash")
                .hasMessageContaining("lock-core/pom.xml");
    }

    @Test
    void numberOfRunsIsCheckedBeforeAnythingIsRun() {
        assertThat(EvidenceCommand.runs(List.of())).isOne();
        assertThat(EvidenceCommand.runs(List.of("0"))).isZero();
        for (List<String> wrong : List.of(List.of("-1"), List.of("many"), List.of("1", "2"), List.of("1000"))) {
            assertThatThrownBy(() -> EvidenceCommand.runs(wrong)).hasMessageContaining("allowed is 0 to 999");
        }
    }
}
