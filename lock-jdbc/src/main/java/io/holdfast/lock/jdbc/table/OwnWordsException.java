package io.holdfast.lock.jdbc.table;

import java.sql.SQLException;

/** A failure that was found here, and told neither by the database nor by the driver. Its message is the reason, without secrets. */
public final class OwnWordsException extends SQLException {

    private static final long serialVersionUID = 1;

    /**
     * For a reason.
     *
     * @param reason why something failed
     */
    public OwnWordsException(String reason) {
        super(reason);
    }
}
