package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.history.KeepHistory;
import io.bellwether.ingestion.history.StoredHistory;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.LinkSessions;
import io.bellwether.ingestion.surface.Surface;
import java.time.Clock;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * The graph that turns decisions and outcomes into transitions and histories.
 *
 * @param surfaces all declared surfaces; operators ask for them once
 * @param records decisions and outcomes as they stand in Kafka
 * @param transitions joined and linked decisions, for the trainer
 * @param archive the same, for good
 * @param histories each subject's recent past, for serving
 * @param deadLetters what was refused
 * @param clock event time's clock, serializable
 */
public record AttributionJob(
    SerializableSupplier<List<Surface>> surfaces,
    Source<Received, ?, ?> records,
    Sink<Transition> transitions,
    Sink<Transition> archive,
    Sink<StoredHistory> histories,
    Sink<DeadLetter> deadLetters,
    AttributionSettings settings,
    Clock clock) {

  /** Adds the graph; every stateful operator has a fixed uid, so that state survives changes. */
  public void addTo(StreamExecutionEnvironment environment) {
    SingleOutputStreamOperator<Event> valid =
        environment
            .fromSource(records, WatermarkStrategy.noWatermarks(), "decisions and outcomes")
            .uid("records")
            .process(new ValidateEvents(surfaces, clock))
            .name("validate events")
            .uid("validate");

    SingleOutputStreamOperator<JoinedDecision> joined =
        valid
            .assignTimestampsAndWatermarks(eventTime())
            .uid("event-time")
            .keyBy(Event::decisionId)
            .process(new AttributeOutcomes(surfaces, settings.retention(), settings.patience()))
            .name("attribute outcomes")
            .uid("attribute");

    SingleOutputStreamOperator<Transition> linked =
        joined
            .keyBy(JoinedDecision::subjectKey)
            .process(
                new LinkSessions(surfaces, settings.retention()),
                new AvroTypeInfo<>(Transition.class))
            .name("link sessions")
            .uid("link");
    linked.sinkTo(transitions).name("transitions").uid("transitions");
    // One writer: each checkpoint finishes one file, not one per subtask.
    linked.sinkTo(archive).name("archive").uid("archive").setParallelism(1);

    joined
        .getSideOutput(AttributeOutcomes.HISTORY)
        .keyBy(HistoryUpdate::subjectKey)
        .process(new KeepHistory(surfaces, settings.historyTtl()))
        .name("keep history")
        .uid("history")
        .sinkTo(histories)
        .name("histories")
        .uid("histories");

    DataStream<DeadLetter> refused =
        valid
            .getSideOutput(ValidateEvents.REFUSED)
            .union(joined.getSideOutput(AttributeOutcomes.REFUSED));
    refused
        .map(new CountDeadLetters())
        .name("count dead letters")
        .setParallelism(1)
        .sinkTo(deadLetters)
        .name("dead letters")
        .uid("dead-letters")
        .setParallelism(1);
  }

  private WatermarkStrategy<Event> eventTime() {
    EventTimeSettings eventTime = settings.eventTime();
    Clock wall = clock;
    return WatermarkStrategy.<Event>forGenerator(
            context -> new PartitionProgress(eventTime, wall, context.getInputActivityClock()))
        .withTimestampAssigner((event, ignored) -> event.progressMillis());
  }
}
