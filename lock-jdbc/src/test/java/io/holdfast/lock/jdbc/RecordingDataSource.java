package io.holdfast.lock.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A data source that records every statement. */
final class RecordingDataSource {

    /** What the action is given instead of a statement. */
    static final String COMMIT = "connection.commit";

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final List<Integer> limits = new CopyOnWriteArrayList<>();
    private final DataSource recording;
    private final AtomicInteger borrowed = new AtomicInteger();
    private volatile Consumer<String> hook = statement -> {};
    private volatile boolean unlimited;
    private volatile boolean patient;

    RecordingDataSource(DataSource target) {
        this.recording = recorded(DataSource.class, target, "");
    }

    DataSource dataSource() {
        return recording;
    }

    /** Runs an action before each statement and each {@link #COMMIT} from now on. */
    void beforeEach(Consumer<String> what) {
        hook = what;
    }

    /** Ignores statement time-outs from now on, as if the cancellation were lost. */
    void loseCancellations() {
        unlimited = true;
    }

    /** Ignores network time-outs from now on, so that the client never gives up before the database answers. */
    void ignoreSilence() {
        patient = true;
    }

    List<String> statements() {
        return statements;
    }

    /** The time-outs of the statements, in seconds. */
    List<Integer> limits() {
        return limits;
    }

    /** How many connections were borrowed. */
    int borrowed() {
        return borrowed.get();
    }

    private <T> T recorded(Class<T> type, T target, String prepared) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (unlimited && method.getName().equals("setQueryTimeout")) {
                return null;
            }
            if (patient && method.getName().equals("setNetworkTimeout")) {
                return null;
            }
            if (method.getName().equals("setQueryTimeout")) {
                limits.add((Integer) arguments[0]);
            }
            boolean text = arguments != null && arguments.length > 0 && arguments[0] instanceof String;
            if (method.getName().startsWith("execute") && target instanceof Statement) {
                String statement = text ? (String) arguments[0] : prepared;
                hook.accept(statement);
                statements.add(statement);
            }
            if (method.getName().equals("commit")) {
                hook.accept(COMMIT);
            }
            Object result;
            try {
                result = method.invoke(target, arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
            if (method.getReturnType() == Connection.class && result instanceof Connection connection) {
                borrowed.addAndGet(target instanceof DataSource ? 1 : 0);
                return recorded(Connection.class, connection, "");
            }
            if (result instanceof Statement && target instanceof Connection) {
                @SuppressWarnings("unchecked")
                Class<Object> returned = (Class<Object>) method.getReturnType();
                return recorded(returned, result, text ? (String) arguments[0] : "");
            }
            return result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
