package io.holdfast.examples.demo;

/** The stores of the demo, for tests of other packages. */
public final class DemoStores {

    private DemoStores() {}

    /** A store that runs. */
    public interface Running extends AutoCloseable {

        String uri();

        @Override
        void close();
    }

    /** Starts the store of a backend, by its name on the command line. */
    public static Running start(String backend) {
        DemoBackend.Store store = DemoBackend.ALL.stream()
                .filter(each -> each.name().equals(backend))
                .findFirst()
                .orElseThrow()
                .start();
        return new Running() {
            @Override
            public String uri() {
                return store.uri();
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }
}
