package io.holdfast.bench;

import java.util.List;

/**
 * What is measured in turns.
 *
 * @param name for the command line and the page
 * @param title what it is, for the table
 * @param about what the page says of it
 * @param store where
 * @param exercise what each contender does
 * @param measures the columns of the table; the ratios and the picture are about the first
 * @param contenders who takes part; the first is what the others are compared with
 */
record Scenario(
        String name,
        String title,
        String about,
        StoreKind store,
        Exercise exercise,
        List<Measure> measures,
        List<Contender> contenders) {

    Measure measure() {
        return measures.get(0);
    }

    Contender reference() {
        return contenders.get(0);
    }

    Contender contender(String name) {
        return contenders.stream()
                .filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
