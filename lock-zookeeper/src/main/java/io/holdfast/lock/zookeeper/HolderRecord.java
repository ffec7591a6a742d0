package io.holdfast.lock.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.data.Stat;

/** What a claim writes into its node, for people: lines of {@code key=value} in UTF-8. */
final class HolderRecord {

    private static final String CLAIM = "claim";
    private static final String OWNER = "owner";
    private static final String HOST = "host";
    private static final String PID = "pid";
    private static final String THREAD = "thread";
    private static final String OFFSET = "offset";
    private static final String NUMBER = "\\d{1,18}";

    /** Up to the largest that {@link TokenRaiser} writes, at least. */
    private static final String LARGE_NUMBER = "[0-4]?" + NUMBER;

    private HolderRecord() {}

    /**
     * Creates a record.
     *
     * @param offset of the claim's token; left out if it is zero
     */
    static byte[] of(ClaimRequest request, long offset) {
        ClaimRequest.Claimant claimant = request.claimant();
        String text = line(CLAIM, request.claimId())
                + line(OWNER, request.ownerId())
                + line(HOST, claimant.host())
                + line(PID, Long.toString(claimant.pid()))
                + line(THREAD, claimant.thread())
                + (offset == 0 ? "" : line(OFFSET, Long.toString(offset)));
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String line(String key, String value) {
        return key + "=" + value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r") + "\n";
    }

    private static LockHolder holder(String owner, Stat stat, Stat lock, FencingToken token) {
        LockHolder holder = LockHolder.of(owner).withFencingToken(token);
        return isGrantedAtItsCreation(stat, lock) ? holder.withSince(Instant.ofEpochMilli(stat.getCtime())) : holder;
    }

    /**
     * Whether a claim is known not to have waited: it was created as the only one, or nobody has come or left since. No node
     * records when a claim that waited became the first.
     */
    private static boolean isGrantedAtItsCreation(Stat claim, Stat lock) {
        return claim.getCzxid() == lock.getMzxid() || claim.getCzxid() == lock.getPzxid();
    }

    /**
     * The holder whose node is the first.
     *
     * @param node the name of the node
     * @param text what is in it: a record, or what another program writes there, such as Curator its IP address
     * @param lock what the server knows of the lock's node
     */
    static LockHolder read(String node, String text, Stat stat, Stat lock) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.lines().toList()) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), unescaped(line.substring(equals + 1)));
            }
        }
        String owner = values.get(OWNER);
        if (owner == null || !values.containsKey(CLAIM)) {
            LockHolder foreign = holder(node, stat, lock, TokenOffset.token(stat.getCzxid(), 0));
            return text.isEmpty() ? foreign : foreign.withHost(text);
        }
        String offset = values.getOrDefault(OFFSET, "");
        FencingToken token = offset.matches(LARGE_NUMBER)
                ? TokenOffset.token(stat.getMzxid(), Long.parseLong(offset))
                : TokenOffset.token(stat.getCzxid(), 0);
        LockHolder holder = holder(owner, stat, lock, token);
        if (values.containsKey(HOST)) {
            holder = holder.withHost(values.get(HOST));
        }
        if (values.getOrDefault(PID, "").matches(NUMBER)) {
            holder = holder.withPid(Long.parseLong(values.get(PID)));
        }
        return values.containsKey(THREAD) ? holder.withThread(values.get(THREAD)) : holder;
    }

    private static String unescaped(String value) {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                c = value.charAt(++i);
                c = c == 'n' ? '\n' : c == 'r' ? '\r' : c;
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
