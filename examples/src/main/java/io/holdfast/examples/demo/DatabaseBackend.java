package io.holdfast.examples.demo;

import io.holdfast.lock.LockClient;
import java.util.function.Supplier;

/**
 * A database server of the demo's own, whose table of locks is made at the start.
 *
 * @param name the name on the command line
 * @param server starts the server
 */
record DatabaseBackend(String name, Supplier<RunningStore> server) implements DemoBackend {

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RunningStore store = server.get();
        try (LockClient client =
                LockClient.builder(store.uri()).property("createTable", "true").build()) {
            // The first call makes the table, and the buyers find it there.
            client.holder(Scene.LOCK_NAME);
        } catch (RuntimeException failure) {
            store.close();
            throw failure;
        }
        return store;
    }
}
