package io.holdfast.bench;

import java.io.IOException;

/** What all contenders of a scenario do in turns. */
interface Exercise extends AutoCloseable {

    /** For how long a contender works before it is measured. */
    long WARM_UP_MILLIS = 700;

    /**
     * One contender's turn, at a store that is empty.
     *
     * @param millis how long it is measured
     * @throws IllegalStateException if a lock had two holders at once, or a token was out of order
     */
    Figures turn(Contender contender, MeasuredStore store, long millis) throws Exception;

    /** For how long each contender works before the first round: about as long as the compiler of the JVM needs for it. */
    default long compilerMillis() {
        return 5_000;
    }

    /**
     * In how many rounds it is done.
     *
     * @param wanted how many are wanted for times
     */
    default int rounds(int wanted) {
        return wanted;
    }

    /** Ends what the turns have in common. */
    @Override
    default void close() throws IOException {}
}
