package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user {@code locks} of a Redis server, with the password {@code secret} and the permissions that a backend's page says are
 * enough.
 *
 * @param server the server
 * @param rules the rules of the page
 */
public record LocksUser(RedisServer server, List<String> rules) {

    private static final Pattern RULE = Pattern.compile("(?m)^ACL SETUSER locks (.*)$");

    /**
     * Creates it.
     *
     * @param server the server
     * @param rules the rules of the page
     */
    public LocksUser {
        rules = List.copyOf(rules);
    }

    /**
     * Reads the rules.
     *
     * @param page the name of the page
     * @param server the server
     * @return the user, who has no rights yet
     */
    public static LocksUser of(String page, RedisServer server) {
        try {
            Matcher rule = RULE.matcher(Files.readString(Path.of("..", "docs", "backends", page)));
            assertThat(rule.find()).as("the page has the rules").isTrue();
            return new LocksUser(server, List.of(rule.group(1).split(" ")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * The commands among the rules.
     *
     * @return the rules that allow a command
     */
    public List<String> commands() {
        return rules.stream().filter(rule -> rule.startsWith("+")).toList();
    }

    /** Allows what the page says. */
    public void allow() {
        allow(rules);
    }

    /**
     * Allows what the page says, but for some of it.
     *
     * @param left what is left out
     */
    public void allowAllBut(String... left) {
        List<String> less = new ArrayList<>(rules);
        assertThat(less.removeAll(List.of(left))).isTrue();
        allow(less);
    }

    /**
     * Allows nothing but what is given.
     *
     * @param allowed the rules
     */
    public void allow(List<String> allowed) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset"));
        command.addAll(allowed);
        server.command(command.toArray(String[]::new));
    }
}
