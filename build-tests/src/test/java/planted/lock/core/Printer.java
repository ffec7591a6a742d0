package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("nothing is printed")
record Printer() {
    static void print(String what) {
        System.out.println(what);
    }
}
