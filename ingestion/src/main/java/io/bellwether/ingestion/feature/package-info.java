/**
 * How declared features become the numbers that a policy sees. {@link
 * io.bellwether.ingestion.feature.FeatureLayout} says which column holds what, {@link
 * io.bellwether.ingestion.feature.FeatureEncoder} fills the columns from JSON, and {@link
 * io.bellwether.ingestion.feature.SubjectHistory} is a subject's recent past as it is kept online.
 */
@NullMarked
package io.bellwether.ingestion.feature;

import org.jspecify.annotations.NullMarked;
