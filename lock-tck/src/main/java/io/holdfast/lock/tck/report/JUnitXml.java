package io.holdfast.lock.tck.report;

import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A report in the form that build servers read. The facts of the run are properties of the suite; the rules that a test proves,
 * and the hooks that it needs, are properties of its case.
 */
public final class JUnitXml {

    private JUnitXml() {}

    /**
     * Writes the document.
     *
     * @param report of a run
     * @return the XML
     */
    public static String of(Report report) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", report.subject());
            xml.writeAttribute("tests", Integer.toString(report.findings().size()));
            xml.writeAttribute("failures", Long.toString(report.count(Verdict.BROKEN)));
            xml.writeAttribute("errors", Long.toString(report.count(Verdict.INCONCLUSIVE)));
            xml.writeAttribute(
                    "skipped", Long.toString(report.count(Verdict.SKIPPED) + report.count(Verdict.DEVIATION)));
            xml.writeAttribute("time", seconds(report.took()));
            properties(
                    report.facts().entrySet().stream()
                            .map(fact -> new Property(fact.getKey(), fact.getValue()))
                            .toList(),
                    xml);
            for (Finding finding : report.findings()) {
                write(finding, xml);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("A string can always be written to", impossible);
        }
        return text.toString();
    }

    private record Property(String name, String value) {}

    private static void properties(List<Property> properties, XMLStreamWriter xml) throws XMLStreamException {
        if (properties.isEmpty()) {
            return;
        }
        xml.writeCharacters("\n");
        xml.writeStartElement("properties");
        for (Property property : properties) {
            xml.writeEmptyElement("property");
            xml.writeAttribute("name", property.name());
            xml.writeAttribute("value", legal(property.value()));
        }
        xml.writeEndElement();
    }

    private static void write(Finding finding, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", finding.level());
        xml.writeAttribute("name", finding.test());
        xml.writeAttribute("time", seconds(finding.time()));
        properties(
                Stream.concat(
                                finding.rules().stream().map(rule -> new Property("rule", rule)),
                                finding.hooks().stream().map(hook -> new Property("hook", hook)))
                        .toList(),
                xml);
        String element = switch (finding.verdict()) {
            case PASS -> "";
            case SKIPPED, DEVIATION -> "skipped";
            case INCONCLUSIVE -> "error";
            case BROKEN -> "failure";
        };
        if (element.isEmpty() && !finding.text().isEmpty()) {
            xml.writeStartElement("system-out");
            xml.writeCharacters(legal(finding.text()));
            xml.writeEndElement();
        }
        if (!element.isEmpty()) {
            xml.writeEmptyElement(element);
            xml.writeAttribute("type", finding.verdict().name());
            xml.writeAttribute("message", legal(finding.subject() + ": " + finding.text()));
        }
        xml.writeEndElement();
    }

    /** XML has no way to write most control characters, and the kit's lock names have some. */
    private static String legal(String text) {
        StringBuilder legal = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean allowed =
                    c == '\n' || c == '\t' || (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) || c > 0xFFFF;
            legal.appendCodePoint(allowed ? c : 0xFFFD);
        });
        return legal.toString();
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
    }
}
