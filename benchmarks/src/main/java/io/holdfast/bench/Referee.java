package io.holdfast.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Looks whether each lock has one holder at a time, and whether its tokens grow. Thread-safe, and safe for several processes
 * whose referees share a file.
 */
final class Referee {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Two numbers for each lock, on a line of the cache of their own: how many are inside, and the last token plus one. */
    private static final int BYTES = 128;

    private final ByteBuffer numbers;

    private Referee(ByteBuffer numbers) {
        this.numbers = numbers;
    }

    /** A referee for this process. */
    static Referee of(int locks) {
        // Direct, as only the longs of a direct buffer can be changed in one step.
        return new Referee(ByteBuffer.allocateDirect(locks * BYTES).alignedSlice(Long.BYTES));
    }

    /** A referee for all processes that share the file, which is made if it is not there. */
    static Referee sharing(Path file, int locks) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Referee(channel.map(MapMode.READ_WRITE, 0, (long) locks * BYTES));
        }
    }

    /**
     * Notes a holder.
     *
     * @throws IllegalStateException if there is another one, or a token was as high before
     */
    void entered(int lock, OptionalLong token) {
        if ((long) LONGS.getAndAdd(numbers, lock * BYTES, 1L) != 0) {
            throw new IllegalStateException("two holders at once");
        }
        if (token.isPresent()) {
            long before = (long) LONGS.getAndSet(numbers, lock * BYTES + Long.BYTES, token.getAsLong() + 1) - 1;
            if (before >= token.getAsLong()) {
                throw new IllegalStateException("token " + token.getAsLong() + " came after " + before);
            }
        }
    }

    void leaves(int lock) {
        long unusedBefore = (long) LONGS.getAndAdd(numbers, lock * BYTES, -1L);
    }
}
