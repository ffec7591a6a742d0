package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.Fence;
import io.holdfast.lock.jdbc.jpa.FencedEntity;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;

/** A guarded entity whose only collection belongs to something that is embedded in it. */
@Entity
class GuardedBox implements FencedEntity {

    @Id
    private Long id;

    private int units;

    @Embedded
    private Content content = new Content();

    @Embedded
    private Fence fence = new Fence();

    GuardedBox() {}

    GuardedBox(long id) {
        this.id = id;
    }

    /** What is in the box. */
    @Embeddable
    static class Content {
        @ElementCollection
        private List<String> labels = new ArrayList<>();

        Content() {}
    }

    @Override
    public String guardingLock() {
        return "box:" + id;
    }

    void add() {
        units++;
    }

    void label(String text) {
        content.labels.add(text);
    }

    void empty() {
        content = new Content();
    }

    @Override
    public String toString() {
        return "GuardedBox[" + id + ", " + units + ", " + content.labels + ", " + fence + "]";
    }
}
