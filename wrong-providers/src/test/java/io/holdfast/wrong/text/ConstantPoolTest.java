package io.holdfast.wrong.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Replacing texts in class files and resources. */
class ConstantPoolTest {

    private static final String DIALECT = "io/holdfast/lock/jdbc/table/PostgreSqlDialect.class";
    private static final String SCRIPT = "io/holdfast/lock/redis/string-release.lua";

    private static Object release(ChangedBackend backend) throws ReflectiveOperationException {
        Class<?> dialects = backend.loadClass("io.holdfast.lock.jdbc.table.SqlDialect");
        Object dialect = dialects.getMethod("of", String.class).invoke(null, "postgresql");
        Method release = dialects.getMethod("release");
        return release.invoke(dialect);
    }

    @Test
    void textInAClassFileIsReplacedAndNothingElse() throws ReflectiveOperationException {
        Object right = release(ChangedBackend.unchanged());
        Object wrong = release(
                ChangedBackend.with(new TextChange(DIALECT, "RETURNING expires_at >", "RETURNING expires_at ß\0 >=")));
        assertThat(wrong).isEqualTo(right.toString().replace("expires_at >", "expires_at ß\0 >="));
        assertThat(wrong).isNotEqualTo(right);
    }

    @Test
    void textInAResourceIsReplacedForTheChangedBackendOnly() {
        ChangedBackend changed = ChangedBackend.with(new TextChange(SCRIPT, "return 1", "return 7"));
        assertThat(changed.text(SCRIPT)).contains("return 7").doesNotContain("return 1");
        assertThat(changed.getResourceAsStream(SCRIPT))
                .hasBinaryContent(changed.text(SCRIPT).getBytes(StandardCharsets.UTF_8));
        assertThat(ChangedBackend.unchanged().text(SCRIPT)).contains("return 1");
    }

    @Test
    void textThatIsMissingIsRefused() {
        TextChange inClass = new TextChange(DIALECT, "no such text", "another");
        TextChange inScript = new TextChange(SCRIPT, "no such text", "another");
        assertThatThrownBy(() -> ChangedBackend.with(inClass)).hasMessageContaining("occurs 0 times");
        assertThatThrownBy(() -> ChangedBackend.with(inScript)).hasMessageContaining("occurs 0 times");
    }

    @Test
    void textThatOccursTwiceIsRefused() {
        TextChange inTwoConstants = new TextChange(DIALECT, "FROM {table}", "FROM other");
        TextChange inScript = new TextChange(SCRIPT, "ARGV[2]", "ARGV[3]");
        assertThatThrownBy(() -> ChangedBackend.with(inTwoConstants)).hasMessageContaining("must occur once");
        assertThatThrownBy(() -> ChangedBackend.with(inScript)).hasMessageContaining("must occur once");
    }

    /** A name of a member is in the same pool. Changed, the class would not link. */
    @Test
    void namesOfMembersAreLeftAlone() {
        assertThat(ConstantPool.texts(TextChange.bytes(DIALECT))).contains("holdfast-postgresql.sql");
        TextChange method = new TextChange(DIALECT, "connectionProperties", "other");
        assertThatThrownBy(() -> ChangedBackend.with(method)).hasMessageContaining("occurs 0 times");
    }

    @Test
    void everyConstantIsKept() {
        byte[] file = TextChange.bytes(DIALECT);
        TextChange change = new TextChange(DIALECT, "holdfast-postgresql.sql", "other.sql");
        byte[] changed = ConstantPool.changed(file, change);
        assertThat(ConstantPool.changed(changed, new TextChange(DIALECT, "other.sql", "holdfast-postgresql.sql")))
                .isEqualTo(file);
    }
}
