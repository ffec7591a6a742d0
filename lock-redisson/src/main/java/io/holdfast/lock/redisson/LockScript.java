package io.holdfast.lock.redisson;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The Lua scripts. Each is one atomic step in the server, and tells of itself what it takes and gives. */
enum LockScript {
    ACQUIRE,
    RENEW,
    RELEASE,
    HOLDER;

    private final String source;

    LockScript() {
        // Redis has no libraries that all its versions share.
        this.source = text("common.lua") + text(name().toLowerCase(Locale.ROOT) + ".lua");
    }

    private static String text(String resource) {
        try (InputStream stream = LockScript.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new FileNotFoundException(resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException("The jar of the Redisson backend is incomplete", broken);
        }
    }

    String source() {
        return source;
    }
}
