package io.holdfast.examples.demo;

/** A worker's line to the director of the demo: commands come in, reports go out. */
interface Wire {

    /** Sends a report of one line. */
    void report(String line);

    /** Waits for the next command. */
    String nextCommand() throws InterruptedException;

    /** Whether a command has come. */
    boolean hasCommand();

    /** Waits for a command that begins with a word, and returns what follows the word. */
    default String await(String word) throws InterruptedException {
        String command = nextCommand();
        if (!command.startsWith(word)) {
            throw new StagingException("Expected the command '" + word + "', but got '" + command + "'");
        }
        return command.substring(word.length()).strip();
    }
}
