package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptSizesTest {

    /** The driver sends 8 KB at once: this, the digest's place, keys and arguments. */
    private static final int SENT_AT_ONCE = 7_600;

    /** A server that wants a password closes the connection before it has read more, and the driver cannot read its reason. */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void eachScriptIsSentAtOnce(Layout layout) {
        LockScripts scripts = LockScripts.of(layout);

        assertThat(new Script[] {
                    scripts.acquire(), scripts.renew(), scripts.renewAll(), scripts.release(), scripts.holder()
                })
                .allSatisfy(script -> assertThat(script.source()).hasSizeLessThan(SENT_AT_ONCE));
    }
}
