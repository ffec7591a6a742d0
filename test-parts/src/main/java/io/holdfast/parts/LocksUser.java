package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user {@code locks} of a Redis server, with the password {@code secret} and the permissions that a backend's page lists.
 *
 * @param server the server
 * @param rules the rules of the page
 */
public record LocksUser(RedisServer server, List<String> rules) {

    /** The database of these tests: not the default one, so that the permission to select it is tested, too. */
    public static final int DATABASE = 1;

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

    /** Grants the permissions of the page. */
    public void allow() {
        allow(rules);
    }

    /**
     * Grants the permissions of the page except some.
     *
     * @param left the rules that are left out
     */
    public void allowAllBut(String... left) {
        List<String> less = new ArrayList<>(rules);
        assertThat(less.removeAll(List.of(left))).isTrue();
        allow(less);
    }

    /**
     * Grants the given permissions only.
     *
     * @param allowed the rules
     */
    public void allow(List<String> allowed) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset"));
        command.addAll(allowed);
        server.command(command.toArray(String[]::new));
    }

    /**
     * Runs a command in the database of the locks, as a user with all permissions.
     *
     * @param words the command
     * @return the answer
     */
    public Object command(String... words) {
        try (RespConnection connection = server.connect()) {
            connection.command("SELECT", Integer.toString(DATABASE));
            return connection.command(words);
        }
    }

    /**
     * Makes an attempt as this user.
     *
     * @param claim a claim for a free lock
     * @return whether the server denied the attempt; otherwise it was granted
     */
    public static boolean isRefused(TestClaim claim) {
        try {
            assertThat(claim.granted()).isTrue();
            return false;
        } catch (LockStoreException denied) {
            assertThat(denied).hasMessageContainingAll("acquire of lock ", " failed: the server answered");
            return true;
        }
    }
}
