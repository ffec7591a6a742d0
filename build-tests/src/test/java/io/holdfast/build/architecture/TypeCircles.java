package io.holdfast.build.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Top-level types that all know each other, directly or through others. A nested type counts as the type around it. Who changes
 * one type of a circle has to know all of them.
 */
final class TypeCircles extends ArchCondition<JavaClass> {

    private final int mostTypes;
    private final Map<String, Set<String>> known = new HashMap<>();
    private final Map<String, Set<String>> reached = new HashMap<>();

    TypeCircles(int mostTypes) {
        super("be in no circle of more than " + mostTypes + " types");
        this.mostTypes = mostTypes;
    }

    @Override
    public void init(Collection<JavaClass> types) {
        known.clear();
        reached.clear();
        for (JavaClass type : types) {
            Set<String> ofType = known.computeIfAbsent(topLevel(type), name -> new HashSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                ofType.add(topLevel(dependency.getTargetClass().getBaseComponentType()));
            }
        }
        known.keySet().forEach(name -> reached.put(name, reachedFrom(name)));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String name = topLevel(type);
        Set<String> circle = new TreeSet<>();
        for (String other : reached.get(name)) {
            if (reached.get(other).contains(name)) {
                circle.add(other);
            }
        }
        if (type.isTopLevelClass() && circle.size() > mostTypes) {
            events.add(SimpleConditionEvent.violated(
                    type, name + " is in a circle of " + circle.size() + " types: " + circle));
        }
    }

    /** What a type knows directly or through others, among the checked types. */
    private Set<String> reachedFrom(String start) {
        Set<String> found = new HashSet<>();
        Deque<String> toDo = new ArrayDeque<>(Set.of(start));
        while (!toDo.isEmpty()) {
            for (String next : known.get(toDo.pop())) {
                if (known.containsKey(next) && found.add(next)) {
                    toDo.push(next);
                }
            }
        }
        return found;
    }

    private static String topLevel(JavaClass type) {
        JavaClass around = type;
        while (around.getEnclosingClass().isPresent()) {
            around = around.getEnclosingClass().get();
        }
        return around.getName();
    }
}
