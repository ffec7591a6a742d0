package io.holdfast.lock.redisson;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Lua scripts. Each is one atomic step in the server, and documents its keys, arguments and reply. */
enum LockScript {
    ACQUIRE("acquire-fast.lua", "common.lua", "acquire.lua"),
    RENEW("renew-fast.lua", "common.lua", "renew.lua"),
    RELEASE("release-fast.lua", "common.lua", "release.lua"),
    HOLDER("common.lua", "holder.lua"),
    COUNTER("common.lua", "counter.lua");

    private static final Pattern LINE = Pattern.compile("@user_script:\\s*(\\d+)");
    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\('(\\w+)'");

    private final String source;
    private final String digest;

    LockScript(String... parts) {
        // There are no libraries that all versions of Redis support.
        this.source = Arrays.stream(parts).map(LockScript::text).collect(Collectors.joining());
        this.digest = digestOf(source);
    }

    /** The command that a script failed at. The server names only the line, and the digest of the script. */
    static Optional<String> commandIn(String answer) {
        Matcher line = LINE.matcher(answer);
        return Arrays.stream(values())
                .filter(script -> line.find(0) && answer.contains(script.digest))
                .flatMap(script -> script.source.lines().skip(Long.parseLong(line.group(1)) - 1))
                .findFirst()
                .map(COMMAND::matcher)
                .filter(Matcher::find)
                .map(command -> command.group(1));
    }

    private static String digestOf(String source) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha1);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-1", impossible);
        }
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

    /** What the server knows the script by. */
    String digest() {
        return digest;
    }
}
