package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.PoolWarnings;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools whose size is known by a method's name. Run only with their artifacts: hence no test name. */
class PoolsOfOthers {

    @ParameterizedTest
    @CsvSource({
        "org.apache.commons.dbcp2.BasicDataSource, setMaxTotal",
        "org.apache.tomcat.jdbc.pool.DataSource, setMaxActive",
        "com.mchange.v2.c3p0.ComboPooledDataSource, setMaxPoolSize",
        "org.vibur.dbcp.ViburDBCPDataSource, setPoolMaxSize",
        "com.alibaba.druid.pool.DruidDataSource, setMaxActive"
    })
    void poolRevealsItsSize(String type, String setter) throws ReflectiveOperationException {
        assertThat(warnings(type, setter, 1))
                .singleElement()
                .asString()
                .contains("has at most 1 connections, and locks need 2");
    }

    @Test
    void poolWithoutLimitIsLargeEnough() throws ReflectiveOperationException {
        assertThat(warnings("org.apache.commons.dbcp2.BasicDataSource", "setMaxTotal", -1))
                .isEmpty();
    }

    private static List<String> warnings(String type, String setter, int most) throws ReflectiveOperationException {
        DataSource source = Class.forName(type)
                .asSubclass(DataSource.class)
                .getConstructor()
                .newInstance();
        source.getClass().getMethod(setter, int.class).invoke(source, most);
        return PoolWarnings.of(() ->
                JdbcLockProvider.over(source).database(Database.H2).build().close());
    }
}
