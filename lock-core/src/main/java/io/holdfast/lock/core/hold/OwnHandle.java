package io.holdfast.lock.core.hold;

/** A handle as the engine sees it, over one lock or several. */
public interface OwnHandle extends AutoCloseable {

    /**
     * Releases a hold that its caller does not want any more. A failure is not reported, and the release repeated in the
     * background.
     */
    void discard();

    @Override
    void close();
}
