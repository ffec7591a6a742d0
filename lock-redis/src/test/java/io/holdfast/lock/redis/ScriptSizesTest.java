package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptSizesTest {

    /** One that is longer takes a round trip more at its first use. */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void onlyScriptsOfTheLineAreTooLongToBeSentAtOnce(Layout layout) {
        LockScripts scripts = LockScripts.of(layout);

        assertThat(new Script[] {scripts.renew(), scripts.renewAll(), scripts.holder()})
                .allMatch(Script::isSentAtOnce);
        assertThat(new Script[] {scripts.acquire(), scripts.release()})
                .allMatch(script -> script.isSentAtOnce() == (layout == Layout.STRING));
    }
}
