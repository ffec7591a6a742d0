package io.holdfast.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import org.junit.jupiter.api.Test;

class ModuleDescriptorTest {

    @Test
    void everyPublishedJarHasAModuleDescriptor() {
        assertThat(ModuleDescriptors.missing()).isEmpty();
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
