package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a {@code jpa:} URI and its properties.
 *
 * @param unit the name of the persistence unit
 * @param database the database; empty if it is to be asked
 * @param options what does not concern the unit
 * @param properties the properties for the persistence provider
 */
record JpaSettings(String unit, Optional<JpaDialect> database, JpaOptions options, Map<String, String> properties) {

    static JpaSettings of(URI uri, ConnectionParameters parameters) {
        // A URI without slashes is opaque: its query is a part of the scheme-specific part.
        String unit = ConnectionParameters.percentDecoded(
                "name of the persistence unit", uri.getRawSchemeSpecificPart().split("\\?", 2)[0]);
        if (unit.isEmpty() || unit.startsWith("//") || unit.indexOf('@') >= 0) {
            // Not shown: before an @ there may be a password.
            throw new LockConfigurationException(
                    "The URI names no persistence unit; allowed is jpa:unit, without slashes, user or password");
        }
        JpaOptions options = new JpaOptions(
                parameters.choice("strategy", Strategy.PESSIMISTIC),
                LockTable.of(parameters.text("table").orElse(LockTable.DEFAULT)),
                parameters.duration("timeout", Timeouts.USUAL, Timeouts.LEAST, Timeouts.MOST),
                new Sweeper(Sweeper.USUALLY));
        Optional<JpaDialect> database = parameters.text("database").map(JpaDialect::of);
        // Our names have no dots, those of JPA do: so a typing error in one of ours is noticed.
        Map<String, String> properties = parameters.matching(name -> name.indexOf('.') > 0);
        if (parameters.text("createTable").isPresent()) {
            throw new LockConfigurationException("The parameter 'createTable' is for jdbc: URIs; allowed is to run the"
                    + " shipped script, or to have the persistence unit run it, by"
                    + " jakarta.persistence.schema-generation.create-script-source and what the page on the JPA backend has"
                    + " beside it");
        }
        parameters.rejectUnknown();
        return new JpaSettings(unit, database, options, properties);
    }

    /** Opens the unit and creates the provider. */
    JpaLockProvider open() {
        PersistenceUnit opened = PersistenceUnit.created(unit, properties);
        try {
            JpaDialect dialect = database.orElseGet(() -> opened.dialect(Optional.empty()));
            return new JpaLockProvider(opened, dialect, options, opened.factory());
        } catch (RuntimeException | Error failure) {
            opened.factory().close();
            throw failure;
        }
    }

    /** No password. */
    @Override
    public String toString() {
        return "JpaSettings[" + unit + ", " + options + "]";
    }
}
