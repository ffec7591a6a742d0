package io.holdfast.containers;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * A server in a container, started before the first class that registers it, and stopped after the last test of all. Without
 * Docker each of these classes fails: a run without them must not look like a success.
 */
final class ContainerServer implements BeforeAllCallback {

    private static final Duration START = Duration.ofMinutes(2);

    private final String property;
    private final int port;
    private final UnaryOperator<GenericContainer<?>> recipe;
    private final Function<String, LockProvider> opener;
    private volatile @Nullable GenericContainer<?> running;

    /**
     * Describes a server without starting it.
     *
     * @param property the system property with the name of the image
     * @param port the port that the server listens on inside
     * @param recipe what the container is started with
     * @param opener opens a provider on a host and port, by which the server is seen to be ready; it may create what is missing
     */
    ContainerServer(
            String property,
            int port,
            UnaryOperator<GenericContainer<?>> recipe,
            Function<String, LockProvider> opener) {
        this.property = property;
        this.port = port;
        this.recipe = recipe;
        this.opener = opener;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(ContainerServer.class))
                .getOrComputeIfAbsent(this, key -> start(), GenericContainer.class);
    }

    private GenericContainer<?> start() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new AssertionError(
                    "No Docker was found, which the profile 'containers' needs: start it, or let DOCKER_HOST"
                            + " name its socket. Without the profile the build needs none");
        }
        GenericContainer<?> container = recipe.apply(new GenericContainer<>(image()))
                .withExposedPorts(port)
                .waitingFor(new Answer().withStartupTimeout(START));
        running = container;
        container.start();
        return container;
    }

    private String image() {
        String image = System.getProperty(property, "");
        if (image.isBlank()) {
            throw new AssertionError(
                    "The system property " + property + " is missing; it names an image, and the pom has its default");
        }
        return image;
    }

    String host() {
        return running().getHost();
    }

    int port() {
        return running().getMappedPort(port);
    }

    /** Host and port, as in a URI. */
    String address() {
        return host() + ":" + port();
    }

    private GenericContainer<?> running() {
        return Objects.requireNonNull(running, "the server was not started");
    }

    /** Waits until the backend gets an answer: an open port proves little, as Docker's proxy opens it at once. */
    private final class Answer extends AbstractWaitStrategy {

        private volatile @Nullable LockStoreException refusal;

        @Override
        protected void waitUntilReady() {
            try {
                Awaitility.await().atMost(startupTimeout).until(() -> !running().isRunning() || answers());
            } catch (ConditionTimeoutException silence) {
                throw new ContainerLaunchException(
                        "No answer after " + startupTimeout.toSeconds() + " s", refusal == null ? silence : refusal);
            }
            if (!running().isRunning()) {
                throw new ContainerLaunchException("The server ended while it started");
            }
        }

        private boolean answers() {
            try (LockProvider provider = opener.apply(address())) {
                return provider.holder("nobody").isEmpty();
            } catch (LockStoreException notYet) {
                refusal = notYet;
                return false;
            }
        }
    }
}
