package io.holdfast.planted;

import java.util.List;
import org.jspecify.annotations.Nullable;

final class NullElements {

    private NullElements() {}

    static List<String> withoutNulls(List<@Nullable String> withNulls) {
        return withNulls;
    }
}
