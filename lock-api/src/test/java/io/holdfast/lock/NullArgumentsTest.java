package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.ServerAddress;
import io.holdfast.lock.spi.StoreClock;
import io.holdfast.lock.spi.StoreTime;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls all that can be called of the API, found in its class files, with one argument null at a time. A new method needs no
 * line here unless it takes a type that has no sample yet.
 */
class NullArgumentsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ClaimRequest.Claimant CLAIMANT = new ClaimRequest.Claimant("host", 1, "main");

    /** One argument of each type, and one object of each type that has methods to call. */
    private static final List<Object> SAMPLES = List.of(
            "memory:test",
            SECOND,
            List.of(),
            Map.of(),
            Optional.empty(),
            new FencingToken(1),
            new NamedToken("stock", 0, new FencingToken(1)),
            Instant.EPOCH,
            LockHolder.of("owner"),
            LockCapabilities.BASIC,
            LockOptions.DEFAULTS,
            LockOwner.caller(),
            LockClient.builder("memory:test"),
            ConnectionParameters.of("", Map.of()),
            new ServerAddress.Form("Store", "store://host", 1),
            URI.create("store://host"),
            new ServiceLookupTest.NoStore(),
            new LockListener() {},
            new Claim() {
                @Override
                public Attempt attempt() {
                    throw new LockStoreException("no store");
                }

                @Override
                public Renewal renew() {
                    throw new LockStoreException("no store");
                }

                @Override
                public Release release() {
                    throw new LockStoreException("no store");
                }
            },
            new ReleaseFeed.Listener() {
                @Override
                public void listening(String name) {}

                @Override
                public void released(String name) {}

                @Override
                public void interrupted(String name) {}
            },
            (Predicate<String>) name -> true,
            Pattern.compile("x"),
            new ServerAddress(Optional.empty(), Optional.empty(), "host", 1),
            new LockStoreException("down"),
            new StoreTime("clock", Instant.EPOCH),
            new StoreClock(1),
            new Attempt.Granted(Optional.empty(), SECOND),
            new Renewal.Held(SECOND),
            CLAIMANT);

    private record Refusal(Executable of, int parameter) {
        @Override
        public String toString() {
            return of.toGenericString() + " #" + parameter;
        }
    }

    static List<Refusal> everyReferenceOfTheApi() throws Exception {
        List<Refusal> refusals = new ArrayList<>();
        for (Class<?> type : exportedTypes()) {
            Stream<Executable> all = Stream.concat(
                    Stream.<Executable>of(type.getDeclaredConstructors()),
                    Stream.<Executable>of(type.getDeclaredMethods()));
            for (Executable each : all.filter(NullArgumentsTest::isCallable).toList()) {
                for (int i = 0; i < each.getParameterCount(); i++) {
                    if (!each.getParameterTypes()[i].isPrimitive()) {
                        refusals.add(new Refusal(each, i));
                    }
                }
            }
        }
        return refusals;
    }

    private static List<Class<?>> exportedTypes() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(LockClient.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root.resolve("io"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                String name = root.relativize(file).toString().replaceFirst("\\.class$", "");
                Class<?> type = Class.forName(name.replace('/', '.').replace('\\', '.'));
                if (isVisible(type)) {
                    types.add(type);
                }
            }
        }
        return types;
    }

    private static boolean isVisible(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && !Throwable.class.isAssignableFrom(type)
                && !type.isEnum()
                // Callbacks, which only the engine calls; they do nothing.
                && type != LockListener.class;
    }

    private static boolean isCallable(Executable executable) {
        return Modifier.isPublic(executable.getModifiers())
                && !Modifier.isAbstract(executable.getModifiers())
                && !executable.isSynthetic()
                && !executable.getName().equals("equals");
    }

    @ParameterizedTest
    @MethodSource("everyReferenceOfTheApi")
    void nullIsRefusedAtOnceAndTheParameterIsNamed(Refusal refusal) {
        Object[] arguments = Arrays.stream(refusal.of().getParameterTypes())
                .map(NullArgumentsTest::sample)
                .toArray();
        arguments[refusal.parameter()] = null;
        // The compiler keeps the names of record components, and of no other parameters.
        Parameter expected = refusal.of().getParameters()[refusal.parameter()];

        assertThatThrownBy(() -> call(refusal.of(), arguments))
                .isInstanceOf(NullPointerException.class)
                .message()
                .matches(expected.isNamePresent() ? expected.getName() : "[a-z][A-Za-z]*");
    }

    private static void call(Executable executable, Object[] arguments) throws Throwable {
        try {
            if (executable instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                boolean isStatic = Modifier.isStatic(executable.getModifiers());
                ((Method) executable).invoke(isStatic ? null : sample(executable.getDeclaringClass()), arguments);
            }
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static Object sample(Class<?> type) {
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == Enum.class) {
            return LossCause.EXPIRED;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return SAMPLES.stream()
                .filter(type::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Add a sample of " + type));
    }

    @Test
    void theParameterThatIsNullIsTheOneThatIsNamed() {
        LockOptions options = LockOptions.DEFAULTS;
        refuses("uri", () -> LockClient.connect(null));
        refuses("provider", () -> LockClient.builder((io.holdfast.lock.spi.LockProvider) null));
        refuses("value", () -> LockClient.builder("memory:x").property("lease", null));
        refuses("time", () -> options.withLeaseTime(null));
        refuses("lockOwner", () -> options.withOwner(null));
        refuses("id", () -> LockOwner.of(null));
        refuses("way", () -> LockCapabilities.BASIC.withWakeUp(null));
        refuses("time", () -> LockHolder.of("o").withSince(null));
        refuses("ownerId", () -> new ClaimRequest("n", "c", null, SECOND, ClaimRequest.Intent.WAIT, CLAIMANT));
        refuses("listeners", () -> new ClientSettings(options, null));
        refuses("token", () -> new Attempt.Granted((FencingToken) null, SECOND));
        refuses("cause", () -> new Renewal.Lost(null));
    }

    private static void refuses(String parameter, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
    }

    @Test
    void allOfTheApiIsFound() throws Exception {
        assertThat(everyReferenceOfTheApi())
                .hasSizeGreaterThan(60)
                .extracting(Refusal::toString)
                .anyMatch(each -> each.contains("LockClient.connect("))
                .anyMatch(each -> each.contains("Renewal$Lost("))
                .anyMatch(each -> each.contains("LockProvider.renewAll("));
    }
}
