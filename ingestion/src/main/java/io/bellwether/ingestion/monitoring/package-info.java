/**
 * What an operator sees of the stream job. {@link
 * io.bellwether.ingestion.monitoring.ScrapeReporterFactory} gives Flink's metrics and the lag on
 * one page for Prometheus; {@link io.bellwether.ingestion.monitoring.KafkaLag} measures the lag.
 */
@NullMarked
package io.bellwether.ingestion.monitoring;

import org.jspecify.annotations.NullMarked;
