package io.holdfast.build.compatibility;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** What the build files say of versions. */
final class Poms {

    /** In whatever namespace. */
    private static final String REPORTS = "//*[local-name()='plugin' and *[.='maven-surefire-plugin']]"
            + "//*[local-name()='execution']//*[local-name()='reportsDirectory']";

    private Poms() {}

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

    /** Where the runs of tests that a pom declares beside the ordinary one put their reports. */
    static Stream<String> reports(String pom) {
        try {
            NodeList found = (NodeList) XPathFactory.newInstance()
                    .newXPath()
                    .evaluate(REPORTS, new InputSource(new StringReader(pom)), XPathConstants.NODESET);
            return IntStream.range(0, found.getLength())
                    .mapToObj(found::item)
                    .map(folder -> folder.getTextContent().strip());
        } catch (XPathExpressionException malformed) {
            throw new AssertionError(malformed);
        }
    }
}
