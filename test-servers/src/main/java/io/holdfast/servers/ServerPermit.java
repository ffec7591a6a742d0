package io.holdfast.servers;

import io.holdfast.lock.tck.faults.ServerProcess;
import java.util.Map;

/** Makes the processes of servers, unless this build starts none. */
final class ServerPermit {

    /** The variable of the environment by which a build without servers finds tests that need one and do not say so. */
    private static final String SERVERS = "HOLDFAST_TEST_SERVERS";

    private ServerPermit() {}

    /** As the constructor of {@link ServerProcess}. */
    static ServerProcess process(String product, String portTaken) {
        check(System.getenv());
        return new ServerProcess(product, portTaken);
    }

    static void check(Map<String, String> environment) {
        if ("refused".equals(environment.get(SERVERS))) {
            throw new IllegalStateException("The profile quick starts no servers. Give the test class @Tag(\"server\"),"
                    + " so that quick leaves it out, or run it by name with -Dtest, which starts servers.");
        }
    }
}
