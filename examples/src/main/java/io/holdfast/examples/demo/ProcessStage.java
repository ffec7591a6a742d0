package io.holdfast.examples.demo;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.time.Duration;
import java.util.List;

/** Workers in child JVMs, which can be stopped as a whole. */
final class ProcessStage implements Stage {

    @Override
    public Worker start(String name, List<String> order) {
        return new ProcessWorker(name, ChildJvm.start(WorkerProcess.class, order.toArray(String[]::new)));
    }

    @Override
    public String crews() {
        return "processes";
    }

    @Override
    public String pausing() {
        return "is stopped, renewals and all (SIGSTOP)";
    }

    @Override
    public boolean renewsSleeper() {
        return true;
    }

    private record ProcessWorker(String name, ChildJvm child) implements Worker {

        @Override
        public String place() {
            return name + " (pid " + child.pid() + ")";
        }

        @Override
        public void tell(String command) {
            child.send(command);
        }

        @Override
        public String await(String word, Duration bound) {
            try {
                return child.awaitLine(word, bound).substring(word.length()).strip();
            } catch (IllegalStateException failure) {
                throw new StagingException(name + " did not report '" + word + "'", failure);
            }
        }

        @Override
        public void pause() {
            child.pause();
        }

        @Override
        public void resume() {
            child.resume();
        }

        @Override
        public void close() {
            child.close();
        }
    }
}
