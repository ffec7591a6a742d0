package io.holdfast.build.architecture;

import com.tngtech.archunit.lang.ArchRule;

/**
 * One rule of the architecture.
 *
 * @param name how planted violations refer to it
 * @param rule what is checked
 */
record ProjectRule(String name, ArchRule rule) {

    @Override
    public String toString() {
        return name;
    }
}
