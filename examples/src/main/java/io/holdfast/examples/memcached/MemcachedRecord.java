package io.holdfast.examples.memcached;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.ClaimRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a lock's item says of its holder. It has no deadline: the server has the only clock that counts, and ends the item by it.
 *
 * @param claimId the claim that holds the lock
 * @param token the token of the grant; 0 if the item is as {@code add} made it, whose unique number is the token then
 * @param owner the id of the owner
 * @param host the host of the holder
 * @param pid the process of the holder
 * @param thread the thread of the holder
 */
record MemcachedRecord(String claimId, long token, String owner, String host, long pid, String thread) {

    private static final String FORMAT = "holdfast1";
    private static final Pattern FORM =
            Pattern.compile(FORMAT + " [A-Za-z0-9-]{1,64} [0-9]{1,18} [!-~]* [!-~]* -?[0-9]{1,18} [!-~]*");
    private static final int LONGEST_SHOWN = 256;

    /** The record of a claim that has no token yet. */
    static MemcachedRecord of(ClaimRequest request) {
        ClaimRequest.Claimant claimant = request.claimant();
        return new MemcachedRecord(
                request.claimId(),
                0,
                request.ownerId(),
                shortened(claimant.host()),
                claimant.pid(),
                shortened(claimant.thread()));
    }

    /** The same record with the token of its grant: a later write gives the item another unique number. */
    MemcachedRecord with(FencingToken granted) {
        return new MemcachedRecord(claimId, granted.value(), owner, host, pid, thread);
    }

    /** A line of ASCII without control characters. */
    String text() {
        return String.join(
                " ",
                FORMAT,
                claimId,
                Long.toString(token),
                encoded(owner),
                encoded(host),
                Long.toString(pid),
                encoded(thread));
    }

    /**
     * Reads the item of a lock.
     *
     * @throws IOException if somebody else has written it: it is not known who holds the lock
     */
    static MemcachedRecord read(MemcachedItem item) throws IOException {
        if (!FORM.matcher(item.value()).matches()) {
            throw new IOException("the item is no record of a lock");
        }
        String[] fields = item.value().split(" ", -1);
        return new MemcachedRecord(
                fields[1],
                Long.parseLong(fields[2]),
                decoded(fields[3]),
                decoded(fields[4]),
                Long.parseLong(fields[5]),
                decoded(fields[6]));
    }

    /** The token of the grant: the number by which the server has counted the {@code add} among all its writes. */
    FencingToken token(MemcachedItem item) {
        return new FencingToken(token == 0 ? item.unique() : token);
    }

    LockHolder holder(MemcachedItem item) {
        return LockHolder.of(owner)
                .withHost(host)
                .withPid(pid)
                .withThread(thread)
                .withFencingToken(token(item));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) throws IOException {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException damaged) {
            throw new IOException("the item is no record of a lock", damaged);
        }
    }
}
