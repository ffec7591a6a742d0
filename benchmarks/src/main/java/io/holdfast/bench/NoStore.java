package io.holdfast.bench;

/** In the place of a store, where there is none. */
final class NoStore implements MeasuredStore {

    @Override
    public String address() {
        return "";
    }

    @Override
    public String version() {
        return "JMH " + Versions.onClassPath("jmh-core");
    }

    @Override
    public void clear() {}

    @Override
    public long locks() {
        return 0;
    }

    @Override
    public StoreCost cost() {
        return new StoreCost(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    @Override
    public void close() {}
}
