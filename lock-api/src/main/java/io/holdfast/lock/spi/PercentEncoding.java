package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The percent-encoding of URIs, read strictly. */
final class PercentEncoding {

    private static final int HEXADECIMAL = 16;

    private PercentEncoding() {}

    static String decoded(String what, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length);
        int index = 0;
        while (index < encoded.length) {
            if (encoded[index] != '%') {
                bytes.put(encoded[index++]);
                continue;
            }
            int high = index + 2 < encoded.length ? Character.digit(encoded[index + 1], HEXADECIMAL) : -1;
            int low = high < 0 ? -1 : Character.digit(encoded[index + 2], HEXADECIMAL);
            if (low < 0) {
                throw badlyEncoded(what);
            }
            bytes.put((byte) (high * HEXADECIMAL + low));
            index += 3;
        }
        try {
            // The usual decoders replace bytes that are no UTF-8, so that different texts become one.
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException invalid) {
            throw badlyEncoded(what);
        }
    }

    private static LockConfigurationException badlyEncoded(String what) {
        return new LockConfigurationException("The " + what + " is not percent-encoded well; allowed are % and two"
                + " hexadecimal digits for each byte of valid UTF-8");
    }
}
