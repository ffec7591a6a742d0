package io.holdfast.planted;

import java.util.List;

final class UnusedImport {

    private UnusedImport() {}
}
