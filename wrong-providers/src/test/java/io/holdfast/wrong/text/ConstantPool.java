package io.holdfast.wrong.text;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The string constants of a class file, as the Java Virtual Machine Specification, chapter 4.4, stores them. Names of members and
 * types stand in the same pool; they are no string constants and are left alone.
 */
final class ConstantPool {

    private static final int UTF8 = 1;
    private static final int STRING = 8;

    /** How many bytes follow the tag of a constant that is neither text nor string. */
    private static final Map<Integer, Integer> LENGTHS = Map.ofEntries(
            Map.entry(3, 4),
            Map.entry(4, 4),
            Map.entry(5, 8),
            Map.entry(6, 8),
            Map.entry(7, 2),
            Map.entry(9, 4),
            Map.entry(10, 4),
            Map.entry(11, 4),
            Map.entry(12, 4),
            Map.entry(15, 3),
            Map.entry(16, 2),
            Map.entry(17, 4),
            Map.entry(18, 4),
            Map.entry(19, 2),
            Map.entry(20, 2));

    private final byte[] head;
    private final int count;
    private final List<byte[]> constants = new ArrayList<>();
    private final Map<Integer, String> texts = new HashMap<>();
    private final Map<Integer, Integer> positions = new HashMap<>();
    private final Set<Integer> strings = new HashSet<>();
    private final byte[] rest;

    private ConstantPool(byte[] classFile) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
            head = in.readNBytes(8);
            count = in.readUnsignedShort();
            for (int index = 1; index < count; index++) {
                int tag = in.readUnsignedByte();
                positions.put(index, constants.size());
                constants.add(constant(in, tag, index));
                // A long and a double take two numbers.
                index += tag == 5 || tag == 6 ? 1 : 0;
            }
            rest = in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException("This is no class file", broken);
        }
    }

    private byte[] constant(DataInputStream in, int tag, int index) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(tag);
        if (tag == UTF8) {
            String text = in.readUTF();
            texts.put(index, text);
            out.writeUTF(text);
        } else if (tag == STRING) {
            int text = in.readUnsignedShort();
            strings.add(text);
            out.writeShort(text);
        } else {
            Integer length = LENGTHS.get(tag);
            if (length == null) {
                throw new IOException("There is no constant with the tag " + tag);
            }
            out.write(in.readNBytes(length));
        }
        return bytes.toByteArray();
    }

    /**
     * Lists the string constants.
     *
     * @param classFile the class file
     * @return the constants, in the order of the pool
     */
    static List<String> texts(byte[] classFile) {
        ConstantPool pool = new ConstantPool(classFile);
        return pool.strings.stream().sorted().map(pool.texts::get).toList();
    }

    /**
     * Replaces a text in the string constants. A text that is a whole constant means that one, also if others contain it.
     *
     * @param classFile the class file
     * @param change the file and the text
     * @return the changed class file
     * @throws IllegalArgumentException if the text does not occur exactly once
     */
    static byte[] changed(byte[] classFile, TextChange change) {
        ConstantPool pool = new ConstantPool(classFile);
        List<Integer> having = pool.indexes(text -> text.equals(change.before()));
        if (having.isEmpty()) {
            having = pool.indexes(text -> text.contains(change.before()));
        }
        if (having.size() != 1) {
            throw change.notOnce(having.size());
        }
        int index = having.get(0);
        return pool.with(index, change.in(pool.texts.get(index)));
    }

    private List<Integer> indexes(Predicate<String> condition) {
        return strings.stream()
                .filter(index -> condition.test(texts.get(index)))
                .toList();
    }

    private byte[] with(int index, String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(head);
            out.writeShort(count);
            int changed = positions.get(index);
            for (int position = 0; position < constants.size(); position++) {
                if (position == changed) {
                    out.writeByte(UTF8);
                    out.writeUTF(text);
                } else {
                    out.write(constants.get(position));
                }
            }
            out.write(rest);
        } catch (IOException tooLong) {
            throw new UncheckedIOException("The new text does not fit into a class file", tooLong);
        }
        return bytes.toByteArray();
    }
}
