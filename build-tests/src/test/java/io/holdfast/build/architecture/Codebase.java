package io.holdfast.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The classes that the rules check, by layer. A planted copy with the same packages breaks each rule.
 *
 * @param root the package of the API
 * @param exported the packages that applications and vendors see
 * @param classes all classes under the root
 */
record Codebase(String root, Set<String> exported, JavaClasses classes) {

    /** The last one is the mark of the planted violations. */
    private static final String[] PLATFORM = {
        "java..", "javax.net..", "org.jspecify.annotations..", "io.holdfast.build.architecture"
    };

    static Codebase real() {
        return new Codebase(
                "io.holdfast.lock",
                ModuleDescriptors.exportedPackages(),
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.holdfast.lock"));
    }

    static Codebase planted() {
        return new Codebase(
                "planted.lock",
                Set.of("planted.lock", "planted.lock.spi", "planted.lock.redis", "planted.lock.unmarked"),
                new ClassFileImporter().importPackages("planted.lock"));
    }

    DescribedPredicate<JavaClass> api() {
        return resideInAPackage(root);
    }

    DescribedPredicate<JavaClass> spi() {
        return resideInAPackage(root + ".spi..");
    }

    DescribedPredicate<JavaClass> contract() {
        return api().or(spi()).as("API and SPI");
    }

    /** Where the API meets the engine. */
    DescribedPredicate<JavaClass> engineInterface() {
        return resideInAPackage(root + ".engine..");
    }

    DescribedPredicate<JavaClass> engine() {
        return resideInAPackage(root + ".core..");
    }

    DescribedPredicate<JavaClass> tck() {
        return resideInAPackage(root + ".tck..");
    }

    DescribedPredicate<JavaClass> backend(String name) {
        return resideInAPackage(root + "." + name + "..");
    }

    DescribedPredicate<JavaClass> backends() {
        return DescribedPredicate.not(
                        contract().or(engineInterface()).or(engine()).or(tck()))
                .as("backends");
    }

    /** All production code: everything but the kit. */
    DescribedPredicate<JavaClass> production() {
        return DescribedPredicate.not(tck()).as("API, SPI, engine and backends");
    }

    DescribedPredicate<JavaClass> platform() {
        return resideInAnyPackage(PLATFORM);
    }

    DescribedPredicate<JavaClass> exportedTypes() {
        return where(
                "visible to users",
                type -> exported.contains(type.getPackageName())
                        && type.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC));
    }

    /** A class by its name below the root, with the classes inside it. */
    DescribedPredicate<JavaClass> named(String... namesBelowRoot) {
        return where(
                String.join(", ", namesBelowRoot),
                type -> Arrays.stream(namesBelowRoot)
                        .map(name -> root + "." + name)
                        .anyMatch(name ->
                                type.getName().equals(name) || type.getName().startsWith(name + "$")));
    }

    static DescribedPredicate<JavaClass> where(String description, Predicate<JavaClass> test) {
        return describe(description, test);
    }
}
