package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.OpCode;

/** Tells by the bytes that a client sends whether the server will change something that a claim needs. */
final class WriteRequests implements Predicate<String> {

    private static final int HEADER = 2 * Integer.BYTES;

    private final Connection operator;

    /**
     * Begins.
     *
     * @param operator asks whether there is a node to create a child of
     */
    WriteRequests(Connection operator) {
        this.operator = operator;
    }

    /** Whether one of some requests is to be carried out. They arrive as Latin-1 text, each after the number of its bytes. */
    @Override
    public boolean test(String requests) {
        ByteBuffer bytes = ByteBuffer.wrap(requests.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.remaining() > Integer.BYTES) {
            int length = bytes.getInt();
            if (length < HEADER || length > bytes.remaining()) {
                return false;
            }
            if (isWrite(bytes.slice().limit(length))) {
                return true;
            }
            bytes.position(bytes.position() + length);
        }
        return false;
    }

    private boolean isWrite(ByteBuffer request) {
        // The first request of a connection has another header, whose first number is zero.
        boolean isFirst = request.getInt() == 0;
        int type = request.getInt();
        if (isFirst) {
            return false;
        }
        return switch (type) {
            case OpCode.delete, OpCode.setData, OpCode.multi -> true;
            // One that is refused changes nothing.
            case OpCode.create -> canBeCreated(path(request));
            default -> false;
        };
    }

    private static String path(ByteBuffer request) {
        byte[] path = new byte[request.getInt()];
        request.get(path);
        return new String(path, StandardCharsets.UTF_8);
    }

    /** Numbered nodes do not exist under the path that is asked for. */
    private boolean canBeCreated(String path) {
        String parent = path.substring(0, path.lastIndexOf('/'));
        return exists(parent.isEmpty() ? "/" : parent) && !exists(path);
    }

    private boolean exists(String path) {
        try {
            return operator.connected("a question for " + path).read(path, null).isPresent();
        } catch (KeeperException failure) {
            throw new LockStoreException("ZooKeeper: no answer to the operator", failure);
        }
    }
}
