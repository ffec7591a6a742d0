package io.holdfast.lock.core.hold;

/** A handle as the engine sees it, over one lock or several. */
public interface OwnHandle extends AutoCloseable {

    /** Gives back a hold that its caller does not wait for any more: quietly, and in the background if the store is slow. */
    void discard();

    @Override
    void close();
}
