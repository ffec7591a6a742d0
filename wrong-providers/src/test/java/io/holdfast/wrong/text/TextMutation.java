package io.holdfast.wrong.text;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/**
 * A provider with one word of one script or statement changed. Its name is the same in every run, as long as the file is the
 * same.
 */
final class TextMutation implements WrongProvider {

    private final String name;
    private final String place;
    private final MutableText source;
    private final TextChange change;
    private final WrongText text;

    TextMutation(String name, String place, MutableText source, TextEdit edit) {
        this.name = name;
        this.place = place;
        this.source = source;
        this.change = new TextChange(source.file(), source.text(), edit.in(source.text()));
        this.text = new WrongText(name, source.store(), change);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LockHarness harness() {
        return text.harness();
    }

    /** Text, change and line, which stay the same while other lines of the file change. */
    String place() {
        return place;
    }

    /** The text that it is made of. */
    MutableText source() {
        return source;
    }

    /** What is changed. */
    TextChange change() {
        return change;
    }

    /**
     * Whether the server takes it for a program at all. A mutant that does not run tells nothing about the kit.
     *
     * @return whether it can be parsed
     */
    boolean runs() {
        return source.isParsed(change, text);
    }

    @Override
    public String toString() {
        return name;
    }
}
