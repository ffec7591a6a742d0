package io.holdfast.examples.demo;

/**
 * A backend that is there already, or that is broken.
 *
 * @param uri the lock store
 * @param stage where its workers run
 */
record TestBackend(String uri, Stage stage) implements DemoBackend {

    @Override
    public String name() {
        return "test";
    }

    @Override
    public Store start() {
        String address = uri;
        return new Store() {
            @Override
            public String uri() {
                return address;
            }

            @Override
            public String description() {
                return address;
            }

            @Override
            public void close() {
                // Nothing was started.
            }
        };
    }
}
