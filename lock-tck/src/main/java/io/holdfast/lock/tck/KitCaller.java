package io.holdfast.lock.tck;

import io.holdfast.lock.tck.probe.ProbeCaller;
import java.time.Duration;
import java.util.concurrent.Executors;

/** Makes the calls of a control, in the time of the kit. */
final class KitCaller implements ProbeCaller {

    @Override
    public boolean isAnswered(Runnable call) {
        return answered(call).result();
    }

    @Override
    public boolean isAnsweredWithin(Runnable call, Duration limit) {
        Call<Boolean> answered = answered(call);
        return Pace.within(limit, answered::isDone) && answered.result();
    }

    @Override
    public boolean isAnsweredBefore(Runnable call, Duration time) {
        Call<Boolean> answered = answered(call);
        Pace.watch(time, () -> !answered.isDone());
        return answered.isDone() && answered.result();
    }

    private static Call<Boolean> answered(Runnable call) {
        return Call.start(() -> Call.isAnswered(Executors.callable(call, call)));
    }
}
