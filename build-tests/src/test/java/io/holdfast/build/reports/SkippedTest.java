package io.holdfast.build.reports;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * A test that was not run.
 *
 * @param name class and method
 * @param reason why not; empty if it does not say
 */
record SkippedTest(String name, String reason) {

    static List<SkippedTest> in(String report) throws IOException {
        List<SkippedTest> found = new ArrayList<>();
        NodeList skips = parse(report).getElementsByTagName("skipped");
        for (int i = 0; i < skips.getLength(); i++) {
            Element skip = (Element) skips.item(i);
            Element test = (Element) skip.getParentNode();
            found.add(
                    new SkippedTest(test.getAttribute("classname") + "." + test.getAttribute("name"), reasonOf(skip)));
        }
        return found;
    }

    /** A short reason is an attribute; a long one is the text of the exception, before the stack trace. */
    private static String reasonOf(Element skip) {
        String text = skip.hasAttribute("message") ? skip.getAttribute("message") : skip.getTextContent();
        return text.replaceFirst("(?s)\\n\\s*at .*", "")
                .replaceFirst("^" + Pattern.quote(skip.getAttribute("type")) + ":?", "")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static Element parse(String report) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(report)))
                    .getDocumentElement();
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(e);
        }
    }
}
