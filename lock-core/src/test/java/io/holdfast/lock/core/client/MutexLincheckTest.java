package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.core.runtime.Mutex;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads come and go at a {@link Mutex}: one is inside at a time, and none waits without end. */
@Tag("full")
public class MutexLincheckTest {

    private final Mutex mutex = new Mutex();
    private int inside;
    private int most;

    public void begin() {}

    public void enter() {
        mutex.lock();
        try {
            beInside();
        } finally {
            mutex.unlock();
        }
    }

    public void enterAgain() {
        mutex.lock();
        try {
            enter();
        } finally {
            mutex.unlock();
        }
    }

    public void tryToEnter() {
        if (mutex.tryLock()) {
            try {
                beInside();
            } finally {
                mutex.unlock();
            }
        }
    }

    private void beInside() {
        inside++;
        most = Math.max(most, inside);
        inside--;
    }

    @Validate
    public void oneThreadWasInsideAtATime() {
        expect(inside == 0 && most <= 1, "one inside at a time");
        expect(mutex.tryLock(), "nobody has it in the end");
    }

    @Test
    void oneThreadIsInsideAtATime() {
        Programs.of(MutexLincheckTest.class, 200)
                .begunBy(step("begin"))
                .program(thread(step("enter"), step("enter")), thread(step("enterAgain")))
                .program(thread(step("enter")), thread(step("enter")), thread(step("enter")))
                .program(thread(step("tryToEnter"), step("enter")), thread(step("enter")), thread(step("tryToEnter")))
                .check();
    }
}
