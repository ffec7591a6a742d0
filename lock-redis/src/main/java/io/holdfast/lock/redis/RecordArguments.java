package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.ScriptCall.bytes;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** What an attempt writes down about the holder, for people and for other clients to read. */
final class RecordArguments {

    private static final String UNENCODED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private RecordArguments() {}

    /** The fields of the hash layout. */
    static List<byte[]> fields(ClaimRequest request) {
        Claimant claimant = request.claimant();
        return List.of(
                bytes(request.ownerId()),
                bytes(claimant.host()),
                bytes(Long.toString(claimant.pid())),
                bytes(claimant.thread()));
    }

    /**
     * The end of the value of the string layout. Here and not in the script, as the server has one thread for all its clients.
     */
    static List<byte[]> text(ClaimRequest request) {
        Claimant claimant = request.claimant();
        return List.of(bytes(claimant.pid() + " " + encoded(request.ownerId()) + " " + encoded(claimant.host()) + " "
                + encoded(claimant.thread())));
    }

    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNENCODED.indexOf(unit) >= 0) {
                encoded.append((char) unit);
            } else {
                encoded.append('%').append(HEX.toHexDigits(unit));
            }
        }
        return encoded.toString();
    }
}
