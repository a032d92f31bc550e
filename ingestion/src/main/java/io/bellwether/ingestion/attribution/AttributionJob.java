package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.erasure.DropErased;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.history.KeepHistory;
import io.bellwether.ingestion.metrics.DecisionValues;
import io.bellwether.ingestion.metrics.MeasureUnits;
import io.bellwether.ingestion.metrics.NumbersChange;
import io.bellwether.ingestion.metrics.PoolNumbers;
import io.bellwether.ingestion.metrics.StoreNumbers;
import io.bellwether.ingestion.redis.RedisValue;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.JoinedWire;
import io.bellwether.ingestion.session.LinkSessions;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.wire.AvroWire;
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
 * The graph that turns decisions and outcomes into transitions and histories, and exposures and
 * outcomes into the numbers of experiments.
 *
 * @param surfaces all declared surfaces; operators ask for them once
 * @param records decisions, outcomes and exposures as they stand in Kafka
 * @param transitions joined and linked decisions, for the trainer
 * @param archive the same, for good
 * @param online what is looked up: each subject's recent past, and the numbers of experiments
 * @param numbers what was counted per variant, for the control of experiments
 * @param deadLetters what was refused
 * @param clock event time's clock, serializable
 */
public record AttributionJob(
    SerializableSupplier<List<Surface>> surfaces,
    Source<Received, ?, ?> records,
    Sink<Transition> transitions,
    Sink<Transition> archive,
    Sink<RedisValue> online,
    Sink<VariantNumbers> numbers,
    Sink<DeadLetter> deadLetters,
    AttributionSettings settings,
    Clock clock) {

  /** Adds the graph; every stateful operator has a fixed uid, so that state survives changes. */
  public void addTo(StreamExecutionEnvironment environment) {
    SingleOutputStreamOperator<Event> valid =
        environment
            .fromSource(records, WatermarkStrategy.noWatermarks(), "events")
            .uid("records")
            .process(new ValidateEvents(surfaces, clock, settings.erasures()), EventWire.TYPE)
            .name("validate events")
            .uid("validate");

    SingleOutputStreamOperator<Event> timed =
        valid.assignTimestampsAndWatermarks(eventTime()).uid("event-time");
    SingleOutputStreamOperator<JoinedDecision> joined =
        timed
            .filter(event -> !event.isExposure())
            .keyBy(Event::decisionId)
            .process(
                new AttributeOutcomes(surfaces, settings.retention(), settings.patience()),
                JoinedWire.TYPE)
            .name("attribute outcomes")
            .uid("attribute");

    SingleOutputStreamOperator<Transition> linked =
        joined
            .keyBy(JoinedDecision::subjectKey)
            .process(
                new LinkSessions(surfaces, settings.retention(), settings.patience()),
                AvroWire.of(Transition.class))
            .name("link sessions")
            .uid("link");
    SingleOutputStreamOperator<Transition> kept =
        linked.filter(new DropErased(settings.erasures())).name("drop erased").uid("kept");
    kept.sinkTo(transitions).name("transitions").uid("transitions");
    // One writer: each checkpoint finishes one file, not one per subtask.
    kept.sinkTo(archive).name("archive").uid("archive").setParallelism(1);

    joined
        .getSideOutput(AttributeOutcomes.HISTORY)
        .keyBy(HistoryUpdate::subjectKey)
        .process(new KeepHistory(surfaces, settings.historyTtl(), settings.erasures()))
        .name("keep history")
        .uid("history")
        .sinkTo(online)
        .name("histories")
        .uid("histories");

    measure(timed.filter(Event::isExposure), joined.getSideOutput(AttributeOutcomes.VALUES));

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

  /** Adds the numbers of experiments. */
  private void measure(DataStream<Event> exposures, DataStream<DecisionValues> values) {
    SingleOutputStreamOperator<VariantNumbers> counted =
        exposures
            .map(new DecodeExposures(), AvroWire.of(Exposure.class))
            .name("exposures")
            .connect(values)
            .keyBy(e -> e.getSurface() + "/" + e.getSubjectId(), DecisionValues::subjectKey)
            .process(new MeasureUnits(surfaces, settings.retention(), settings.metrics()))
            .name("measure units")
            .uid("units")
            .keyBy(NumbersChange::key)
            .process(
                new PoolNumbers(surfaces, settings.metrics()),
                new AvroTypeInfo<>(VariantNumbers.class))
            .name("pool numbers")
            .uid("pools");
    // One writer each: it writes a few records a second.
    counted.sinkTo(numbers).name("numbers").uid("numbers").setParallelism(1);
    counted
        .map(new StoreNumbers())
        .name("store numbers")
        .setParallelism(1)
        .sinkTo(online)
        .name("online numbers")
        .uid("online-numbers")
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
