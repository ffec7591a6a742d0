package io.holdfast.build.compatibility;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What the build files say of versions. */
final class Poms {

    /** In any namespace. */
    private static final String REPORTS = ".//*[local-name()='reportsDirectory']";

    private static final String ZOOKEEPER = ".//*[local-name()='line.zookeeper']";
    private static final String RUNS = "//*[local-name()='plugin' and *[.='maven-surefire-plugin']]"
            + "//*[local-name()='execution'][" + REPORTS + "]";

    private Poms() {}

    /**
     * A run of tests beside the ordinary one.
     *
     * @param reports the folder of its reports, which is named after a library and its version
     * @param zooKeeper the version of ZooKeeper's client that it has with another version of Curator; empty if it has none
     */
    record Run(String reports, Optional<String> zooKeeper) {}

    /** The value of a property of the parent pom. */
    static String property(String name) {
        return first("<" + Pattern.quote(name) + ">([^<]+)<", "pom.xml");
    }

    /** What the first group of a pattern has caught in a file. */
    static String first(String pattern, String file) {
        Matcher matcher =
                Pattern.compile(pattern).matcher(Checkout.read(Checkout.root().resolve(file)));
        if (!matcher.find()) {
            throw new AssertionError(file + " has nothing like " + pattern);
        }
        return matcher.group(1);
    }

    /** The poms of the modules beside each other. */
    static List<Path> ofModules() {
        try (Stream<Path> modules = Files.list(Checkout.root())) {
            return modules.map(module -> module.resolve("pom.xml"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The runs of tests that a pom declares beside the ordinary one. */
    static Stream<Run> runs(String pom) {
        XPath paths = XPathFactory.newInstance().newXPath();
        try {
            NodeList found =
                    (NodeList) paths.evaluate(RUNS, new InputSource(new StringReader(pom)), XPathConstants.NODESET);
            List<Run> runs = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                String zooKeeper = text(paths, ZOOKEEPER, found.item(i));
                runs.add(new Run(
                        text(paths, REPORTS, found.item(i)),
                        Optional.of(zooKeeper).filter(text -> !text.isEmpty())));
            }
            return runs.stream();
        } catch (XPathExpressionException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static String text(XPath paths, String path, Node execution) throws XPathExpressionException {
        return paths.evaluate(path, execution).strip();
    }
}
