package planted.lock.spi;

import io.holdfast.build.architecture.Violates;

@Violates("the API logs nothing")
record ChattyProvider(System.Logger logger) {
    void say(String what) {
        logger.log(System.Logger.Level.INFO, what);
    }
}
