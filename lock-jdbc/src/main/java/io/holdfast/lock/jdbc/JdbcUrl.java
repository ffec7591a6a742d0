package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockConfigurationException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JDBC URL, and what may be shown of it.
 *
 * @param text the URL
 * @param product the database that it names
 * @param place the URL without what may be secret
 * @param secrets the rest, as it stands in the URL: what precedes an @, the parameters, and the passwords in both
 */
record JdbcUrl(String text, String product, String place, List<String> secrets) {

    private static final Pattern FORM = Pattern.compile("(?s)jdbc:([a-z0-9]+):([^?;(]*)(.*)", Pattern.CASE_INSENSITIVE);

    private static final Pattern PASSWORD =
            Pattern.compile("(?:pass|pwd|secret)[a-z0-9_.]*=([^&;,)]+)", Pattern.CASE_INSENSITIVE);

    private static final Pattern LOGIN =
            Pattern.compile("jdbc:(postgresql|mariadb):([a-z-]+:)?//[^/?]*@", Pattern.CASE_INSENSITIVE);

    /** A user or password in the syntax of another driver, which this one takes for a part of the database's name. */
    private static final Pattern LOGIN_OF_OTHERS = Pattern.compile(
            "jdbc:(?:h2:[^;]*[?&]|(?:postgresql|mariadb|mysql):[^?]*;)(?:user|username|password)=",
            Pattern.CASE_INSENSITIVE);

    /** A database in H2's memory, in this process or in a server, and its name. */
    private static final Pattern IN_MEMORY = Pattern.compile("(?s)jdbc:h2:(?:(?:tcp|ssl)://[^/;]+/)?mem:([^;]*)(;.*)?");

    private static final Pattern KEPT_BY_H2 =
            Pattern.compile("(?s).*;DB_CLOSE_DELAY=-1(;.*)?", Pattern.CASE_INSENSITIVE);

    static JdbcUrl of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            // Not shown: in an unknown form any part may be the password.
            throw new LockConfigurationException("This is no JDBC URL; allowed is jdbc:database:rest, such as"
                    + " jdbc:postgresql://localhost/locks or jdbc:h2:mem:locks");
        }
        String address = form.group(2);
        String parameters = form.group(3);
        int at = address.lastIndexOf('@');
        // An @ in the address ends a user and password. One in the parameters is left to the driver.
        String shown = at < 0 ? address : "//***" + address.substring(at);
        String user = at < 0 ? "" : address.substring(0, at).replaceFirst("^/+", "");
        Stream<String> passwords = PASSWORD.matcher(parameters).results().map(found -> found.group(1));
        // A driver may show a part of the URL.
        String password = user.contains(":") ? user.substring(user.indexOf(':') + 1) : "";
        List<String> secrets = Stream.concat(Stream.of(user, password, parameters), passwords)
                .filter(part -> !part.isEmpty())
                .toList();
        return new JdbcUrl(text, form.group(1), "jdbc:" + form.group(1) + ":" + shown, secrets);
    }

    /** Refuses a user or a password where the driver expects only a host or a database. */
    void refuseLogin() {
        if (LOGIN_OF_OTHERS.matcher(text).lookingAt()) {
            boolean h2 = product.equalsIgnoreCase("h2");
            // Not the whole place, which would contain the password.
            throw new LockConfigurationException(
                    "The JDBC URL of " + product + " has a user or a password in the form of"
                            + " another driver; allowed are the properties 'user' and 'password', or "
                            + (h2 ? ";USER=...;PASSWORD=..." : "?user=...&password=...") + " at its end");
        }
        if (LOGIN.matcher(text).lookingAt()) {
            throw new LockConfigurationException(
                    "The URL '" + place + "' has a user or a password before its host, which"
                            + " its driver does not understand; allowed are the properties 'user' and 'password', or the URL's"
                            + " parameters of these names");
        }
    }

    /**
     * Refuses a database in H2's memory without a name: each connection would get a database of its own, so locks would
     * exclude nobody.
     */
    void refuseUnnamed() {
        Matcher inMemory = IN_MEMORY.matcher(text);
        if (inMemory.matches() && inMemory.group(1).isEmpty()) {
            throw new LockConfigurationException(
                    "The URL '" + place + "' names no database, so that each connection would"
                            + " have one of its own; allowed is a name, such as jdbc:h2:mem:locks");
        }
    }

    /** Whether the database is dropped with its last connection. */
    boolean endsWithItsLastConnection() {
        return IN_MEMORY.matcher(text).matches() && !KEPT_BY_H2.matcher(text).matches();
    }

    /** Whether the URL has a parameter of a name. */
    boolean has(String name) {
        return Pattern.compile("[?&;(]" + Pattern.quote(name) + "(?![a-z0-9_.])", Pattern.CASE_INSENSITIVE)
                .matcher(text)
                .find();
    }

    /** Refuses parameters that are meant for us and not for the driver. */
    void refuse(List<String> names) {
        for (String name : names) {
            if (has(name)) {
                String value = name.equals("createTable") ? "\"true\"" : "...";
                throw new LockConfigurationException(
                        "The parameter '" + name + "' stands in a JDBC URL, all of which is"
                                + " the driver's; allowed is LockClient.builder(url without it).property(\"" + name
                                + "\", " + value
                                + ").build()");
            }
        }
    }

    /** No password. */
    @Override
    public String toString() {
        return place;
    }
}
