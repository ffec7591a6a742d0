package io.holdfast.lock.core;

import java.util.concurrent.Executor;

/**
 * All that the engine needs of the machine: time and threads. The executors are separate so that none can starve
 * another: a hanging attempt delays no renewal, and a user's callback that blocks delays neither.
 *
 * @param ticker the monotonic clock
 * @param scheduler timers
 * @param storeCalls runs the store operations that no application thread waits in
 * @param undoings takes back, perhaps many times, what nobody waits for
 * @param callsOfVirtualThreads runs the store calls that a virtual thread waits for; nothing that it runs waits for another call
 * @param renewals runs renewals
 * @param callbacks runs listeners and the dependents of futures
 * @param shutdown ends the threads behind the others, after what was submitted has run
 */
record EngineRuntime(
        Ticker ticker,
        Scheduler scheduler,
        Executor storeCalls,
        Executor undoings,
        Executor callsOfVirtualThreads,
        Executor renewals,
        Executor callbacks,
        Runnable shutdown) {

    /** The same, with executors that try again where the system has no thread for a task. */
    EngineRuntime patient() {
        return new EngineRuntime(
                ticker,
                scheduler,
                new PatientExecutor(storeCalls, scheduler),
                new PatientExecutor(undoings, scheduler),
                new PatientExecutor(callsOfVirtualThreads, scheduler),
                new PatientExecutor(renewals, scheduler),
                new PatientExecutor(callbacks, scheduler),
                shutdown);
    }
}
