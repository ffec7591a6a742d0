package io.holdfast.evidence;

import io.holdfast.lock.tck.report.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The XML report of one test class in one run.
 *
 * @param facts what the report says of provider and machine, by name
 * @param tests all tests
 */
record RecordedSuite(Map<String, String> facts, List<RecordedTest> tests) {

    private static final String DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";

    static RecordedSuite read(Path file) {
        try (InputStream xml = Files.newInputStream(file)) {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            // Without a DOCTYPE there are no entities, and nothing is fetched.
            factory.setFeature(DOCTYPE, true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // The usual handler also writes to the console.
            builder.setErrorHandler(new DefaultHandler());
            return of(builder.parse(xml).getDocumentElement());
        } catch (IOException | SAXException | ParserConfigurationException | IllegalArgumentException unreadable) {
            throw new EvidenceException(file + " is no report of the kit: " + unreadable.getMessage());
        }
    }

    private static RecordedSuite of(Element suite) {
        Map<String, String> facts = new LinkedHashMap<>();
        properties(suite).forEach(property -> facts.put(property.getAttribute("name"), property.getAttribute("value")));
        List<RecordedTest> tests = new ArrayList<>();
        for (Element test : children(suite, "testcase")) {
            tests.add(test(test));
        }
        return new RecordedSuite(facts, tests);
    }

    private static RecordedTest test(Element test) {
        Verdict verdict = Verdict.PASS;
        String text = "";
        for (String outcome : List.of("skipped", "error", "failure")) {
            for (Element element : children(test, outcome)) {
                verdict = Verdict.valueOf(element.getAttribute("type"));
                String message = element.getAttribute("message");
                // Behind the rules, which are properties as well.
                text = message.substring(message.indexOf(": ") + 2);
            }
        }
        return new RecordedTest(
                test.getAttribute("classname"),
                test.getAttribute("name"),
                values(test, "rule"),
                values(test, "hook"),
                verdict,
                text);
    }

    private static List<String> values(Element test, String name) {
        return properties(test).stream()
                .filter(property -> property.getAttribute("name").equals(name))
                .map(property -> property.getAttribute("value"))
                .toList();
    }

    private static List<Element> properties(Element of) {
        return children(of, "properties").stream()
                .flatMap(properties -> children(properties, "property").stream())
                .toList();
    }

    private static List<Element> children(Element of, String name) {
        NodeList all = of.getChildNodes();
        return IntStream.range(0, all.getLength())
                .mapToObj(all::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(child -> child.getTagName().equals(name))
                .toList();
    }
}
