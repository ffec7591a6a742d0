package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefereeTest {

    private static final OptionalLong NO_TOKEN = OptionalLong.empty();

    private final Referee referee = Referee.of(2);

    @Test
    void letsHoldersInOneAfterTheOther() {
        assertThatCode(() -> {
                    for (int token = 0; token < 3; token++) {
                        referee.entered(0, OptionalLong.of(token));
                        referee.leaves(0);
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void reportsTwoHoldersAtOnce() {
        referee.entered(0, NO_TOKEN);

        assertThatThrownBy(() -> referee.entered(0, NO_TOKEN)).hasMessageContaining("two holders");
    }

    @Test
    void knowsLocksApart() {
        referee.entered(0, OptionalLong.of(7));

        assertThatCode(() -> referee.entered(1, OptionalLong.of(6))).doesNotThrowAnyException();
    }

    @Test
    void reportsATokenThatDoesNotGrow() {
        referee.entered(0, OptionalLong.of(7));
        referee.leaves(0);

        assertThatThrownBy(() -> referee.entered(0, OptionalLong.of(7))).hasMessageContaining("token 7 came after 7");
    }

    @Test
    void sharesAFileWithTheRefereesOfOtherProcesses(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("numbers");
        Referee one = Referee.sharing(file, 1);
        Referee other = Referee.sharing(file, 1);
        one.entered(0, OptionalLong.of(7));

        assertThatThrownBy(() -> other.entered(0, OptionalLong.of(8))).hasMessageContaining("two holders");
    }
}
