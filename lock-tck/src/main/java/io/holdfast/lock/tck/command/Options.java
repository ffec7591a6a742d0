package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.tck.report.RuleBook;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was asked for on the command line.
 *
 * @param uri of the provider
 * @param rules to test; all if there are none
 * @param disposable whether the store is there for the tests alone
 * @param inProcess whether the store is inside each process that opens it
 * @param direct whether the providers reach the store without a proxy
 * @param oneByOne whether no two tests run at a time
 * @param soak how long several processes compete; not at all if it is empty
 * @param soakAlone whether no rule is tested
 * @param report the directory for the reports
 * @param lease to measure with; chosen by the pace of the store if there is none
 * @param tolerance how much later than its lease a record may go
 * @param properties parameters that are not in the URI
 * @param classPath jars and directories with the vendor's provider
 */
record Options(
        String uri,
        Set<String> rules,
        boolean disposable,
        boolean inProcess,
        boolean direct,
        boolean oneByOne,
        Optional<Duration> soak,
        boolean soakAlone,
        Optional<Path> report,
        Optional<Duration> lease,
        Optional<Duration> tolerance,
        Map<String, String> properties,
        List<Path> classPath) {

    /** Reads the arguments; throws {@link LockConfigurationException} with what is allowed. */
    static Options parse(String... arguments) {
        return new Parser(arguments).parse();
    }

    /** Goes through the arguments once. */
    private static final class Parser {
        private static final String ALL = "all";
        private static final Duration SHORTEST_SOAK = Duration.ofSeconds(1);

        private final Deque<String> left;
        private final List<String> uris = new ArrayList<>();
        private final Set<String> rules = new TreeSet<>();
        private final Map<String, String> properties = new TreeMap<>();
        private final List<Path> classPath = new ArrayList<>();
        private boolean disposable;
        private boolean inProcess;
        private boolean direct;
        private boolean oneByOne;
        private boolean all;
        private Optional<Duration> soak = Optional.empty();
        private Optional<Path> report = Optional.empty();
        private Optional<Duration> lease = Optional.empty();
        private Optional<Duration> tolerance = Optional.empty();

        Parser(String... arguments) {
            this.left = new ArrayDeque<>(List.of(arguments));
        }

        Options parse() {
            while (!left.isEmpty()) {
                String word = left.pop();
                switch (word) {
                    case "--rule" -> rule(valueOf(word));
                    case "--disposable" -> disposable = true;
                    case "--in-process" -> inProcess = true;
                    case "--direct" -> direct = true;
                    case "--one-by-one" -> oneByOne = true;
                    case "--soak" -> soak = Optional.of(soakTime(word, valueOf(word)));
                    case "--report" -> report = Optional.of(Path.of(valueOf(word)));
                    case "--lease" -> lease = Optional.of(duration(word, valueOf(word)));
                    case "--tolerance" -> tolerance = Optional.of(duration(word, valueOf(word)));
                    case "--property" -> property(valueOf(word));
                    case "--classpath" -> classPath.addAll(places(valueOf(word)));
                    default -> positional(word);
                }
            }
            if (uris.size() != 1) {
                throw new LockConfigurationException(
                        "There are " + uris.size() + " URIs; allowed is one, such as redis://localhost:6379");
            }
            boolean soakAlone = soak.isPresent() && !all && rules.isEmpty();
            return new Options(
                    uris.get(0),
                    all ? Set.of() : rules,
                    disposable,
                    inProcess,
                    direct,
                    oneByOne,
                    soak,
                    soakAlone,
                    report,
                    lease,
                    tolerance,
                    properties,
                    classPath);
        }

        private void positional(String word) {
            if (word.startsWith("-")) {
                throw new LockConfigurationException("There is no option '" + word
                        + "'; allowed are --rule, --report, --lease, --tolerance, --property, --classpath,"
                        + " --disposable, --in-process, --direct, --one-by-one, --soak and --help");
            }
            uris.add(word);
        }

        private String valueOf(String option) {
            if (left.isEmpty()) {
                throw new LockConfigurationException("There is nothing behind " + option);
            }
            return left.pop();
        }

        private void property(String pair) {
            int sign = pair.indexOf('=');
            if (sign < 1) {
                // Not repeated: it may be a password.
                throw new LockConfigurationException("A --property has no name or no value; allowed is name=value");
            }
            properties.put(pair.substring(0, sign), pair.substring(sign + 1));
        }

        private void rule(String number) {
            if (number.equals(ALL)) {
                all = true;
                return;
            }
            if (RuleBook.ofThisKit().rule(number).isEmpty()) {
                throw new LockConfigurationException(
                        "There is no rule '" + number + "'; allowed is the number of a rule of SPEC.md, such as 3.2");
            }
            rules.add(number);
        }

        private static Duration duration(String option, String value) {
            return ConnectionParameters.parseDuration(option, value);
        }

        private static Duration soakTime(String option, String value) {
            Duration time = duration(option, value);
            if (time.compareTo(SHORTEST_SOAK) < 0) {
                throw new LockConfigurationException(option + " is " + value + "; allowed are 1s and more");
            }
            return time;
        }

        private static List<Path> places(String classPath) {
            List<Path> places = new ArrayList<>();
            for (String place : classPath.split(File.pathSeparator, -1)) {
                Path path = Path.of(place);
                if (!Files.exists(path)) {
                    throw new LockConfigurationException("There is no file '" + place + "', which --classpath names");
                }
                places.add(path);
            }
            return places;
        }
    }
}
