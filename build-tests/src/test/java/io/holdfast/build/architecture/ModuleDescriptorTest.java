package io.holdfast.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModuleDescriptorTest {

    private static final Map<String, Set<String>> EXPORTED = Map.of(
            "io.holdfast.lock", Set.of("io.holdfast.lock", "io.holdfast.lock.spi"),
            "io.holdfast.lock.core", Set.of("io.holdfast.lock.core.memory"),
            "io.holdfast.lock.redis", Set.of("io.holdfast.lock.redis"),
            "io.holdfast.lock.redisson", Set.of("io.holdfast.lock.redisson"),
            "io.holdfast.lock.jdbc", Set.of("io.holdfast.lock.jdbc", "io.holdfast.lock.jdbc.jpa"),
            "io.holdfast.lock.tck", Set.of("io.holdfast.lock.tck"));

    @Test
    void everyPublishedJarHasAModuleDescriptor() {
        assertThat(ModuleDescriptors.missing()).isEmpty();
    }

    @Test
    void aModuleExportsTheAgreedPackagesAndNoOthers() {
        Map<String, Set<String>> actual = ModuleDescriptors.byName().values().stream()
                .collect(Collectors.toMap(
                        ModuleDescriptor::name,
                        module -> module.exports().stream()
                                .filter(export -> !export.isQualified())
                                .map(ModuleDescriptor.Exports::source)
                                .collect(Collectors.toSet())));

        assertThat(actual).containsKey("io.holdfast.lock");
        assertThat(EXPORTED).containsAllEntriesOf(actual);
    }

    @Test
    void theEngineInterfaceIsExportedToTheEngineAlone() {
        assertThat(ModuleDescriptors.byName().get("io.holdfast.lock").exports())
                .filteredOn(ModuleDescriptor.Exports::isQualified)
                .singleElement()
                .satisfies(export -> {
                    assertThat(export.source()).isEqualTo("io.holdfast.lock.engine");
                    assertThat(export.targets()).containsExactly("io.holdfast.lock.core");
                });
    }
}
