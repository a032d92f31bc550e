/**
 * Subjects whose past is to be forgotten, as everything honours them that writes or reads the log's
 * data: {@link io.bellwether.ingestion.erasure.ErasedSubjects} tells whom, {@link
 * io.bellwether.ingestion.erasure.ErasureFeed} keeps that up to date from Kafka, and {@link
 * io.bellwether.ingestion.erasure.ErasureTopic} is how an operator of a job gets at it. Who asks
 * for an erasure, and what else it removes, is serving's.
 */
@NullMarked
package io.bellwether.ingestion.erasure;

import org.jspecify.annotations.NullMarked;
