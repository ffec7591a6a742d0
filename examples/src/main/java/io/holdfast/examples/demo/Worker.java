package io.holdfast.examples.demo;

import java.time.Duration;

/** The director's side of a worker: sends commands and receives reports. */
interface Worker extends AutoCloseable {

    /** Its name and where it runs, for people. */
    String place();

    /** Sends a command of one line. */
    void tell(String command);

    /**
     * Waits for a report that begins with a word, and returns what follows the word.
     *
     * @throws StagingException if the report does not come in time, or the worker has ended
     */
    String await(String word, Duration bound);

    /** Stops it where it is, if it is a process; a thread cannot be stopped, only left without a command. */
    void pause();

    /** Lets it go on. */
    void resume();

    /** Ends it at any step. */
    @Override
    void close();
}
