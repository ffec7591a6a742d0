package io.holdfast.lock;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fencing token with all that a resource needs to judge it: the name of the lock, and the epoch of the lock store.
 *
 * <p>The guards of this project take it. {@link #encode()} makes a text of it for a resource in another process, in a header of a
 * request for example; {@link #parse} reads it there.
 *
 * <p><b>The epoch</b> is a number that the operator counts up when the store has lost its data and its tokens begin below those
 * of earlier grants. Tokens of a later epoch are newer than all tokens of earlier ones, so a resource refuses what a holder from
 * before the loss still sends, and serves the low tokens that come after it. Stores whose tokens go on growing over such a loss,
 * or were {@linkplain LockClient#raiseTokens raised}, need no epoch: it stays 0.
 *
 * @param lockName the name of the lock; tokens of different names are not comparable
 * @param epoch the epoch of the store, 0 or greater
 * @param token the number
 */
public record NamedToken(String lockName, int epoch, FencingToken token) {

    /** Epoch, number and name: numbers without leading zeros, so that a token has one text. */
    private static final Pattern TEXT = Pattern.compile("(0|[1-9]\\d{0,9}):([1-9]\\d{0,18}):([A-Za-z0-9%._*+-]+)");

    private static final int SHOWN = 80;

    /**
     * Creates a token.
     *
     * @param lockName the name of the lock
     * @param epoch the epoch of the store, 0 or greater
     * @param token the number
     * @throws LockConfigurationException if no lock can have that name
     * @throws IllegalArgumentException if the epoch is negative
     */
    public NamedToken {
        Objects.requireNonNull(lockName, "lockName");
        LockNames.requireValid(lockName);
        Objects.requireNonNull(token, "token");
        if (epoch < 0) {
            throw new IllegalArgumentException("An epoch is 0 or greater, not " + epoch);
        }
    }

    /**
     * This token as one of another epoch.
     *
     * @param storeEpoch the present epoch of the store that granted the lock, from the configuration of the application
     * @return the token
     * @throws IllegalArgumentException if the epoch is negative
     */
    public NamedToken inEpoch(int storeEpoch) {
        return new NamedToken(lockName, storeEpoch, token);
    }

    /**
     * Throws unless this is a token of a given lock. A guard asks this first: a token of another lock says nothing about who may
     * change what the guard protects.
     *
     * @param expected the name of the lock that protects the resource
     * @throws IllegalArgumentException if it is the token of another lock
     */
    public void requireLock(String expected) {
        Objects.requireNonNull(expected, "expected");
        if (!lockName.equals(expected)) {
            throw new IllegalArgumentException("Token " + token + " is of the lock '" + lockName
                    + "'; allowed is one of the lock '" + expected + "'");
        }
    }

    /**
     * Whether a resource that has seen a floor must refuse this token.
     *
     * @param floorEpoch the epoch of the highest token that the resource has seen
     * @param floor the highest number that it has seen in that epoch; 0 if none
     * @return true if the token is below the floor
     */
    public boolean isBelow(int floorEpoch, long floor) {
        return epoch < floorEpoch || (epoch == floorEpoch && token.value() < floor);
    }

    /**
     * The token as a text of ASCII characters without spaces: the epoch, the number and the name of the lock in the encoding of
     * HTML forms, with colons between them, such as {@code 0:1764:stock%3A42}.
     *
     * @return the text
     */
    public String encode() {
        return epoch + ":" + token + ":" + URLEncoder.encode(lockName, StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #encode()} has written. It comes from somebody else, so everything but such a text is refused.
     *
     * @param text the text
     * @return the token
     * @throws IllegalArgumentException if it is not such a text
     */
    public static NamedToken parse(String text) {
        Objects.requireNonNull(text, "text");
        Matcher parts = TEXT.matcher(text);
        if (parts.matches()) {
            try {
                NamedToken token = new NamedToken(
                        URLDecoder.decode(parts.group(3), StandardCharsets.UTF_8),
                        Integer.parseInt(parts.group(1)),
                        new FencingToken(Long.parseLong(parts.group(2))));
                if (token.encode().equals(text)) {
                    return token;
                }
            } catch (IllegalArgumentException | LockConfigurationException outOfRange) {
                throw new IllegalArgumentException(refusal(text), outOfRange);
            }
        }
        throw new IllegalArgumentException(refusal(text));
    }

    private static String refusal(String text) {
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        return "'" + shown + "' is not the text of a token; allowed is epoch:number:name, such as 0:1764:stock%3A42";
    }
}
