package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;

/** Redisson in one jar with an application, whose manifest has the application's version. */
@Tag("full")
class ShadedJarTest {

    private static final String PROPERTIES = "META-INF/maven/org.redisson/redisson/pom.properties";

    private static final Path REDISSON = Path.of(
            Redisson.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @TempDir
    private Path folder;

    @Test
    void shadedRedissonIsNotRefusedForTheVersionOfTheApplication() throws Exception {
        try (URLClassLoader application = application(name -> !name.equals(PROPERTIES))) {
            assertThatCode(() -> call(application, "requireSupported")).doesNotThrowAnyException();
            assertThat(call(application, "found")).isEqualTo("of an unknown version");
        }
    }

    @Test
    void versionIsReadFromRedissonsOwnProperties() throws Exception {
        try (URLClassLoader application = application(name -> true)) {
            assertThat(call(application, "found")).isEqualTo(System.getProperty("line.version"));
        }
    }

    @Test
    void tooOldShadedRedissonIsRefused() throws Exception {
        try (URLClassLoader application = application(name -> !name.endsWith("/TrackingListener.class"))) {
            assertThatThrownBy(() -> call(application, "requireSupported"))
                    .hasMessageContainingAll("Redisson", System.getProperty("line.version"), "3.27 to 3.52", "4.0 to");
        }
    }

    private URLClassLoader application(Predicate<String> kept) throws IOException {
        List<URL> path = new ArrayList<>();
        path.add(url(shade(kept)));
        // Except Redisson's own jar.
        Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(Path::of)
                .filter(element -> !element.equals(REDISSON))
                .forEach(element -> path.add(url(element)));
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path element) {
        try {
            return element.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Path shade(Predicate<String> kept) throws IOException {
        Path shaded = folder.resolve("shop-1.2.0.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "shop");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.0");
        try (JarFile source = new JarFile(REDISSON.toFile());
                OutputStream stream = Files.newOutputStream(shaded);
                JarOutputStream target = new JarOutputStream(stream, manifest)) {
            Enumeration<JarEntry> entries = source.entries();
            while (entries.hasMoreElements()) {
                String name = entries.nextElement().getName();
                if (kept.test(name) && !name.equals(JarFile.MANIFEST_NAME)) {
                    target.putNextEntry(new JarEntry(name));
                    target.write(source.getInputStream(source.getJarEntry(name)).readAllBytes());
                    target.closeEntry();
                }
            }
        }
        return shaded;
    }

    private static Object call(ClassLoader application, String name) throws Exception {
        Method method = application.loadClass(RedissonVersion.class.getName()).getDeclaredMethod(name);
        method.setAccessible(true);
        try {
            return method.invoke(null);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof Exception thrown) {
                throw thrown;
            }
            throw failure;
        }
    }
}
