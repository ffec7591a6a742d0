package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

/** What becomes of Netty's buffers when Redisson forgets to release them. */
class BuffersTest {

    /** Redisson copies the arguments of a call, for the case that the server does not know the script. */
    @Test
    void theArgumentsOfAScriptAreLeftToTheGarbageCollectorAndSoAreTheirCopies() throws Exception {
        ByteBuf argument = StoreCalls.CODEC.getValueEncoder().encode(new byte[] {1, 2, 3});

        for (ByteBuf buffer : new ByteBuf[] {argument, argument.copy()}) {
            assertThat(buffer.alloc()).isSameAs(UnpooledByteBufAllocator.DEFAULT);
            assertThat(buffer.isDirect()).isFalse();
        }
    }
}
