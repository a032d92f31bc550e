package io.bellwether.loadtest.serving;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.result.Figures;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, then all
 * that they rest on below {@code details}. What was not measured is null.
 */
public final class ResultJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ResultJson() {}

  public static ObjectNode of(ServingResult result) {
    ScenarioResult reference = result.reference();
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("p50_over_floor", reference.overFloor(50))
            .put("p99_over_floor", reference.overFloor(99))
            .put("p999_over_floor", reference.overFloor(99.9))
            .put("throughput_over_floor", reference.throughputOverFloor());
    Figures.put(json, "linear_decisions_per_second", result.linearPerSecond());
    Figures.put(json, "allocated_bytes_per_decision", reference.use().allocatedBytes());
    result
        .storm()
        .ifPresentOrElse(
            storm ->
                json.put("swap_failed_requests", storm.failed() + storm.degraded())
                    .put("swap_resident_growth", storm.residentGrowth())
                    .put("swap_stale_decisions", storm.stale()),
            () ->
                json.putNull("swap_failed_requests")
                    .putNull("swap_resident_growth")
                    .putNull("swap_stale_decisions"));
    Figures.put(json, "retrieval_recall", result.retrievalRecall());
    result
        .soak()
        .ifPresentOrElse(
            soak ->
                json.put("soak_longest_pause_millis", soak.longestPauseMillis())
                    .put("soak_resident_growth", soak.residentGrowth()),
            () -> json.putNull("soak_longest_pause_millis").putNull("soak_resident_growth"));
    result
        .hostile()
        .ifPresentOrElse(
            hostile ->
                json.put("hostile_requests", hostile.traffic().sent())
                    .put("hostile_faults", hostile.traffic().faults().size())
                    .put("hostile_resident_growth", hostile.traffic().residentGrowth())
                    .put("hostile_leaks", hostile.leaks()),
            () ->
                json.putNull("hostile_requests")
                    .putNull("hostile_faults")
                    .putNull("hostile_resident_growth")
                    .putNull("hostile_leaks"));
    json.put("seed", result.seed()).put("seconds", result.seconds());
    ObjectNode details = Figures.details(json, result);
    ObjectNode scenarios = details.putObject("scenarios");
    for (ScenarioResult each : result.scenarios()) {
      scenarios.set(each.scenario().scenario(), scenario(each));
    }
    result.storm().ifPresent(storm -> details.set("swaps", storm(storm)));
    result.soak().ifPresent(soak -> details.set("soak", soak(soak)));
    result
        .hostile()
        .ifPresent(hostile -> details.set("hostile", MAPPER.valueToTree(hostile.traffic())));
    return json;
  }

  private static ObjectNode scenario(ScenarioResult result) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("body_bytes", result.bodyBytes())
            .put("sustained_per_second", result.sustained())
            .put("allowed_per_second", result.allowedPerSecond())
            .put("throughput_over_floor", result.throughputOverFloor())
            .put("p50_over_floor", result.overFloor(50))
            .put("p99_over_floor", result.overFloor(99))
            .put("p999_over_floor", result.overFloor(99.9))
            .put("cpu_millis_per_decision", result.use().cpuMillis())
            .put("cpu_millis_per_noop", result.noopCpuMillis())
            .put("cpu_millis_per_graph", result.graph().cpuMillis())
            .put("longest_pause_millis", result.use().longestPauseMillis())
            .put("resident_bytes", result.use().residentBytes());
    Figures.put(json, "allocated_bytes_per_decision", result.use().allocatedBytes());
    json.set("load", load(result.load()));
    json.set("noop", load(result.noop()));
    json.set("graph", MAPPER.valueToTree(result.graph().latency().percentiles()));
    json.set("ramp", MAPPER.valueToTree(result.ramp()));
    json.set("threads", MAPPER.valueToTree(result.use().threads()));
    return json;
  }

  private static ObjectNode load(LoadReport report) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("offered", report.offered())
            .put("succeeded", report.succeeded())
            .put("degraded", report.degraded())
            .put("limited", report.limited())
            .put("refused", report.refused())
            .put("failed", report.failed())
            .put("offered_per_second", report.offeredPerSecond())
            .put("per_second", report.perSecond())
            .put("most_waiting", report.mostWaiting());
    json.set("latency", MAPPER.valueToTree(report.latency().percentiles()));
    json.set("from_sending", MAPPER.valueToTree(report.service().percentiles()));
    json.set("lateness", MAPPER.valueToTree(report.lateness().percentiles()));
    return json;
  }

  private static ObjectNode storm(SwapStorm.Result storm) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("swaps", storm.swaps())
            .put("swaps_per_second", storm.perSecond())
            .put("requests", storm.requests())
            .put("failed", storm.failed())
            .put("degraded", storm.degraded())
            .put("stale", storm.stale())
            .put("resident_bytes_before", storm.residentBefore())
            .put("resident_bytes_after", storm.residentAfter());
    json.set("latency", MAPPER.valueToTree(storm.latency().percentiles()));
    json.set("swap", MAPPER.valueToTree(storm.swapMillis().percentiles()));
    return json;
  }

  private static ObjectNode soak(Soak.Result soak) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("per_second", soak.perSecond())
            .put("longest_pause_millis", soak.longestPauseMillis())
            .put("pauses", soak.pauses().size())
            .put("resident_growth", soak.residentGrowth());
    json.set("load", load(soak.load()));
    json.set("resident_bytes", MAPPER.valueToTree(soak.residentBytes()));
    return json;
  }
}
