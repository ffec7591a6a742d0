package io.holdfast.examples.backends;

/** Locks in H2 by way of JPA: those of {@link OnH2}. */
public final class OnJpa {

    private OnJpa() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a file in the working directory, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("jpa:holdfast-examples?jakarta.persistence.jdbc.url=jdbc:h2:./example", args);
    }
}
