package io.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The connections of libraries that open none themselves. */
final class Pools {

    /** As many as ours has for calls. */
    private static final int CONNECTIONS = 8;

    private Pools() {}

    static HikariDataSource open(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
