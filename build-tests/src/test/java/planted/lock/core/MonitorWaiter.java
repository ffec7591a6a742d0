package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no wait and notify")
record MonitorWaiter(Object monitor) {
    void wakeUp() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }
}
