package io.holdfast.wrong.mutant;

import io.holdfast.lock.spi.Claim;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** All claims of this JVM, by the names of their locks: the kit uses no name twice. */
final class Claims {

    private static final AtomicLong TOKENS = new AtomicLong(1L << 40);
    private static final Map<String, Claim> HOLDERS = new ConcurrentHashMap<>();
    private static final Map<String, Queue<MutantClaim>> MADE = new ConcurrentHashMap<>();

    private Claims() {}

    /** A token that no grant has had. */
    static long newToken() {
        return TOKENS.incrementAndGet();
    }

    static void made(MutantClaim claim) {
        MADE.computeIfAbsent(claim.request.name(), name -> new ConcurrentLinkedQueue<>())
                .add(claim);
    }

    static Stream<MutantClaim> of(String name) {
        return MADE.getOrDefault(name, new ConcurrentLinkedQueue<>()).stream();
    }

    /** The other claims of an owner that are in force. */
    static Stream<MutantClaim> siblings(MutantClaim claim) {
        return of(claim.request.name()).filter(each -> each.isInForce() && each.isOfTheOwnerOf(claim));
    }

    static void holds(String name, Claim claim) {
        HOLDERS.put(name, claim);
    }

    static void left(String name) {
        HOLDERS.remove(name);
    }

    static Optional<Claim> holder(String name) {
        return Optional.ofNullable(HOLDERS.get(name));
    }

    static boolean isHeld(String name) {
        return HOLDERS.containsKey(name);
    }
}
