/** Planted. */
module io.holdfast.planted {
    requires static org.jspecify;

    exports io.holdfast.planted;
}
