package io.bellwether.serving.item;

import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.Workers;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletionStage;

/** {@code PUT /v1/surfaces/{surface}/items}: registers items, to be named by id afterwards. */
@Path("/v1/surfaces/{surface}/items")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class ItemResource {

  private final Surfaces surfaces;
  private final ItemRegistration registration;
  private final Catalogue catalogue;
  private final Workers workers;

  ItemResource(
      Surfaces surfaces, ItemRegistration registration, Catalogue catalogue, Workers workers) {
    this.surfaces = surfaces;
    this.registration = registration;
    this.catalogue = catalogue;
    this.workers = workers;
  }

  /**
   * What was done.
   *
   * @param registered items of this request
   * @param total items of the surface now
   */
  public record Registered(String surface, int registered, int total) {}

  @PUT
  public CompletionStage<Registered> register(@PathParam("surface") String name, byte[] body) {
    DeclaredSurface surface = surfaces.require(name);
    return workers
        .admit(() -> registration.register(surface, body))
        .thenApply(count -> new Registered(surface.name(), count, catalogue.items(surface).size()));
  }
}
