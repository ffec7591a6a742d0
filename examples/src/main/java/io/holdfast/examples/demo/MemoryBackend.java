package io.holdfast.examples.demo;

import io.holdfast.lock.LockClient;
import java.util.UUID;

/** Locks in the memory of one JVM: three clients and their threads share it, other processes do not. */
final class MemoryBackend implements DemoBackend {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Stage stage() {
        return new ThreadStage();
    }

    @Override
    public Store start() {
        String uri = "memory:demo-" + UUID.randomUUID();
        return new Running(uri, LockClient.connect(uri));
    }

    /** The client stays open from the first act to the last, so that the store, and its tokens with it, stays the same. */
    private record Running(String uri, LockClient client) implements Store {

        @Override
        public String description() {
            return "the memory of this process, which no other process reaches";
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
