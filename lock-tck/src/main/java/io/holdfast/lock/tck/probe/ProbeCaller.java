package io.holdfast.lock.tck.probe;

import java.time.Duration;

/** Makes calls of a provider on other threads, as they may hang. */
public interface ProbeCaller {

    /**
     * Whether a call is answered. One that fails is not.
     *
     * @param call asks the store
     * @return whether it was answered
     */
    boolean isAnswered(Runnable call);

    /**
     * Whether a call is answered by an upper limit, which a slow machine extends.
     *
     * @param call asks the store
     * @param limit how long an answer may take
     * @return false if it failed, or was not answered by then
     */
    boolean isAnsweredWithin(Runnable call, Duration limit);

    /**
     * Whether a call is answered before a time has passed, no matter how slow the machine is.
     *
     * @param call asks the store
     * @param time how long it must hang
     * @return false if it failed, or was not answered by then
     */
    boolean isAnsweredBefore(Runnable call, Duration time);
}
