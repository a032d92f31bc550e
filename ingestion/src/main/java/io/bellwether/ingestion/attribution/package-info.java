/**
 * The join of decisions with what people did about them. {@link
 * io.bellwether.ingestion.attribution.AttributionJob} is the graph to read first; {@link
 * io.bellwether.ingestion.attribution.Attribution} is the rule, free of any framework, which says
 * what one outcome is worth to one decision. What cannot be used goes to the dead-letter topic with
 * a reason and its original bytes.
 */
@NullMarked
package io.bellwether.ingestion.attribution;

import org.jspecify.annotations.NullMarked;
