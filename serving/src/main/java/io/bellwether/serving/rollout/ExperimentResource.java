package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Encoded;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/experiments}: experiments and their moves. Whoever moves one gets the answer when no
 * replica decides by the earlier state any more.
 */
@Path("/v1/experiments")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class ExperimentResource {

  private static final String ACTOR = "Bellwether-Actor";
  private static final String IF_MATCH = "If-Match";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final int MULTI_STATUS = 207;

  private final Experiments experiments;
  private final ExperimentJson json;
  private final ExperimentPages pages;
  private final ExperimentResults results;
  private final ExperimentPower power;
  private final AssignmentAnswers assignments;

  ExperimentResource(
      Experiments experiments,
      ExperimentJson json,
      ExperimentPages pages,
      ExperimentResults results,
      ExperimentPower power,
      AssignmentAnswers assignments) {
    this.experiments = experiments;
    this.json = json;
    this.pages = pages;
    this.results = results;
    this.power = power;
    this.assignments = assignments;
  }

  @GET
  public ExperimentPages.Page list(
      @QueryParam("pageSize") @Nullable String size,
      @QueryParam("pageToken") @Nullable String token,
      @QueryParam("surface") @Nullable String surface,
      @QueryParam("status") @Nullable String status) {
    return pages.page(size, token, surface, status);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> create(@HeaderParam(ACTOR) @Nullable String actor, byte[] body) {
    return experiments.create(body, By.of(MoveBody.who(actor), "created")).thenApply(this::created);
  }

  @GET
  @Path("{name}")
  public Response get(@PathParam("name") String name) {
    return answer(Response.Status.OK, experiments.require(name)).build();
  }

  /** Edits a draft: RFC 7396 on its declaration. */
  @PATCH
  @Path("{name}")
  @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
  public CompletionStage<Response> edit(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    ExperimentState state = experiments.require(name);
    if (ifMatch == null) {
      throw ProblemException.of(
          Slug.PRECONDITION_REQUIRED,
          "Send If-Match with the ETag of the experiment that is to be changed.");
    }
    JsonNode patch = JsonBody.parse(body, Limits.STANDARD.bodyBytes());
    JsonFields.ofRequest(patch).check();
    JsonNode edited = ExperimentJson.merged(json.declaration(state.declaration()), patch);
    By by = MoveBody.by(actor, ifMatch, state, "edited");
    return experiments.edit(name, json.bytes(edited), by).thenApply(this::moved);
  }

  /** Whether it could be started now. */
  @POST
  @Path("{name}:validate")
  public ValidationResource.Valid validate(@PathParam("name") String name) {
    return new ValidationResource.Valid(true, json.declaration(experiments.checkStart(name)));
  }

  @POST
  @Path("{name}:start")
  @Consumes({MediaType.APPLICATION_JSON, MediaType.WILDCARD})
  public CompletionStage<Response> start(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    ExperimentState state = experiments.require(name);
    JsonFields fields = MoveBody.fields(body);
    String reason = fields.text("reason").filter(text -> !text.isBlank()).orElse("started");
    fields.check();
    return experiments
        .start(name, MoveBody.by(actor, ifMatch, state, reason))
        .thenApply(this::moved);
  }

  @POST
  @Path("{name}:pause")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> pause(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    return move(name, actor, ifMatch, body, experiments::pause);
  }

  @POST
  @Path("{name}:resume")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> resume(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    return move(name, actor, ifMatch, body, experiments::resume);
  }

  @POST
  @Path("{name}:ramp")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> ramp(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    ExperimentState state = experiments.require(name);
    JsonFields fields = MoveBody.fields(body, "percent");
    double percent = MoveBody.percent(fields);
    String reason = MoveBody.requiredReason(fields);
    fields.check();
    By by = results.withEvidence(state, MoveBody.by(actor, ifMatch, state, reason));
    return experiments.ramp(name, percent, by).thenApply(this::moved);
  }

  @POST
  @Path("{name}:rollback")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> rollback(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    return move(name, actor, ifMatch, body, experiments::rollback);
  }

  @POST
  @Path("{name}:stop")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> stop(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    return move(name, actor, ifMatch, body, experiments::stop);
  }

  /**
   * Ends it with a winner. A treatment wins when every limit of the plan is shown to be kept, or by
   * an override, whose reason is kept.
   */
  @POST
  @Path("{name}:conclude")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> conclude(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    ExperimentState state = experiments.require(name);
    JsonFields fields = MoveBody.fields(body, "winner", "override");
    String winner = fields.requiredText("winner");
    if (fields.has("winner") && state.declaration().variant(winner).isEmpty()) {
      fields.refuse("winner", MoveBody.unknownVariant(state, winner));
    }
    Optional<String> override = fields.text("override");
    if (override.filter(String::isBlank).isPresent()) {
      fields.refuse("override", "is blank, must say why it is concluded without the evidence");
    }
    String reason = MoveBody.requiredReason(fields);
    fields.check();
    By by = MoveBody.by(actor, ifMatch, state, reason);
    return experiments
        .conclude(name, winner, results.concluding(state, winner, override, by))
        .thenApply(this::moved);
  }

  @POST
  @Path("{name}:archive")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> archive(
      @PathParam("name") String name,
      @HeaderParam(ACTOR) @Nullable String actor,
      @HeaderParam(IF_MATCH) @Nullable String ifMatch,
      byte[] body) {
    return move(name, actor, ifMatch, body, experiments::archive);
  }

  @POST
  @Path("{name}:clone")
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Response> copy(
      @PathParam("name") String name, @HeaderParam(ACTOR) @Nullable String actor, byte[] body) {
    experiments.require(name);
    JsonFields fields = MoveBody.fields(body, "name");
    String copy = fields.requiredText("name");
    String reason = fields.text("reason").filter(text -> !text.isBlank()).orElse("cloned");
    fields.check();
    return experiments
        .copy(name, copy, By.of(MoveBody.who(actor), reason))
        .thenApply(this::created);
  }

  @GET
  @Path("{name}/results")
  public JsonNode results(
      @PathParam("name") String name,
      @QueryParam("method") @Nullable String method,
      @QueryParam("look") @Nullable String look) {
    return results.of(name, method, look);
  }

  @GET
  @Path("{name}/history")
  public History history(@PathParam("name") String name) {
    experiments.require(name);
    return new History(
        experiments.history(name).stream().map(move -> json.move(move, true)).toList());
  }

  @GET
  @Path("{name}/power")
  public ExperimentPower.Answer power(
      @PathParam("name") String name,
      @QueryParam("effect") @Nullable String effect,
      @QueryParam("power") @Nullable String wanted,
      @QueryParam("unitsPerDay") @Nullable String unitsPerDay) {
    return power.of(name, effect, wanted, unitsPerDay);
  }

  @GET
  @Path("{name}/assignments/{subjectId}")
  public AssignmentAnswers.Answer assignment(
      @PathParam("name") String name,
      @PathParam("subjectId") @Encoded String subjectId,
      @QueryParam("context") @Nullable String context) {
    return assignments.one(name, subjectId, context);
  }

  /** 207 with one element per subject. */
  @POST
  @Path("{name}/assignments:batch")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response assignments(@PathParam("name") String name, byte[] body) {
    return Response.status(MULTI_STATUS).entity(assignments.batch(name, body)).build();
  }

  /** Every move, oldest first. */
  public record History(List<JsonNode> items) {
    public History {
      items = List.copyOf(items);
    }
  }

  private CompletionStage<Response> move(
      String name,
      @Nullable String actor,
      @Nullable String ifMatch,
      byte[] body,
      BiFunction<String, By, CompletionStage<Move>> move) {
    ExperimentState state = experiments.require(name);
    JsonFields fields = MoveBody.fields(body);
    String reason = MoveBody.requiredReason(fields);
    fields.check();
    By by = results.withEvidence(state, MoveBody.by(actor, ifMatch, state, reason));
    return move.apply(name, by).thenApply(this::moved);
  }

  private Response moved(Move move) {
    return answer(Response.Status.OK, move.after()).build();
  }

  private Response created(Move move) {
    // Not Response.created: it asks for the request, of which other threads know nothing.
    return answer(Response.Status.CREATED, move.after())
        .header("Location", "/v1/experiments/" + move.experiment())
        .build();
  }

  private Response.ResponseBuilder answer(Response.Status status, ExperimentState state) {
    return Response.status(status)
        .header("ETag", "\"" + state.sequence() + "\"")
        .entity(json.state(state));
  }
}
