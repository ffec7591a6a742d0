package io.holdfast.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A JVM with a crew, which does what its parent writes to its standard input. */
final class CrewProcess {

    /** With the name of a contender, the address of the store and the file of the referee: answered with {@link #BEGUN}. */
    static final String BEGIN = "begin";

    static final String MEASURE = "measure";

    /** Answered with {@link #TIMES} and a line of times for each thread, and with {@link #CLOSED}. */
    static final String STOP = "stop";

    static final String BEGUN = "BEGUN";
    static final String TIMES = "TIMES";
    static final String CLOSED = "CLOSED";
    static final String FAILED = "FAILED";

    private final Scenario scenario;
    private final int threads;
    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private CrewProcess(Scenario scenario, int threads) {
        this.scenario = scenario;
        this.threads = threads;
    }

    public static void main(String[] arguments) throws Exception {
        Benchmarks.quiet();
        try {
            new CrewProcess(Scenarios.named(arguments[0]), Integer.parseInt(arguments[1])).run();
        } catch (Exception failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            // One line, which the parent waits for.
            System.out.println(FAILED + " " + trace.toString().replaceAll("\\s*\n\\s*", " | "));
        }
        System.exit(0);
    }

    private void run() throws Exception {
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split("\t", -1);
            turn(scenario.contender(words[1]), words[2], Path.of(words[3]));
        }
    }

    private void turn(Contender contender, String address, Path numbers) throws Exception {
        try (Locks client = contender.opening().open(address);
                Crew crew = new Crew(client, threads, 1, Referee.sharing(numbers, 1))) {
            System.out.println(BEGUN);
            await(MEASURE);
            crew.measure();
            await(STOP);
            crew.stop();
            for (Times times : crew.times()) {
                System.out.println(TIMES + " " + times.line());
            }
        }
        System.out.println(CLOSED);
    }

    private void await(String order) throws IOException {
        String line = orders.readLine();
        if (!order.equals(line)) {
            throw new IOException("not '" + order + "' but: " + line);
        }
    }
}
