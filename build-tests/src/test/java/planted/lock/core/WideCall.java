package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("at most five parameters")
final class WideCall {
    private WideCall() {}

    static int sum(int a, int b, int c, int d, int e, int f) {
        return a + b + c + d + e + f;
    }
}
