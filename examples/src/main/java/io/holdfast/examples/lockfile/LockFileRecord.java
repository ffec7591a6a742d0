package io.holdfast.examples.lockfile;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.ClaimRequest;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Properties;

/** The content of a lock's file. It stays when the lock is released, as the next token has to be greater. */
final class LockFileRecord {

    private final Properties fields = new Properties();
    private boolean changed;

    void read(Reader file) throws IOException {
        fields.load(file);
    }

    boolean isChanged() {
        return changed;
    }

    void write(Writer file) throws IOException {
        fields.store(file, null);
    }

    String claimId() {
        return text("claim", "");
    }

    long token() {
        return Long.parseLong(text("token", "0"));
    }

    Instant until() {
        return Instant.parse(text("until", Instant.EPOCH.toString()));
    }

    boolean isHeldAt(Instant now) {
        return now.isBefore(until());
    }

    void holdUntil(Instant end) {
        set("until", end.toString());
    }

    /** The token is not below the clock, so that it also grows after somebody has deleted the file. */
    void grant(ClaimRequest request, Instant now) {
        long token = Math.max(token() + 1, ChronoUnit.MICROS.between(Instant.EPOCH, now));
        set("token", Long.toString(token));
        set("claim", request.claimId());
        set("owner", request.ownerId());
        set("host", request.claimant().host());
        set("pid", Long.toString(request.claimant().pid()));
        set("thread", request.claimant().thread());
        set("since", now.toString());
    }

    LockHolder holder() {
        return LockHolder.of(text("owner", ""))
                .withHost(text("host", ""))
                .withPid(Long.parseLong(text("pid", "0")))
                .withThread(text("thread", ""))
                .withSince(Instant.parse(text("since", Instant.EPOCH.toString())))
                .withFencingToken(new FencingToken(token()));
    }

    private void set(String field, String text) {
        fields.setProperty(field, text);
        changed = true;
    }

    private String text(String field, String otherwise) {
        return fields.getProperty(field, otherwise);
    }
}
