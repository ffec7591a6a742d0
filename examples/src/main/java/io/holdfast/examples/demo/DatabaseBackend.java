package io.holdfast.examples.demo;

import io.holdfast.lock.LockClient;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A database server of the demo's own, whose table of locks is made at the start.
 *
 * @param name the name on the command line
 * @param server starts the server; its URI is the JDBC URL
 * @param uri the URI of the locks, from the JDBC URL
 */
record DatabaseBackend(String name, Supplier<RunningStore> server, UnaryOperator<String> uri) implements DemoBackend {

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RunningStore database = server.get();
        try (LockClient client = LockClient.builder(database.uri())
                .property("createTable", "true")
                .build()) {
            // The first call makes the table, and the buyers find it there.
            client.holder(Scene.LOCK_NAME);
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
        return new RunningStore(uri.apply(database.uri()), database.description(), database::close);
    }
}
