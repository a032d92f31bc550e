package io.bellwether.serving.security;

import io.bellwether.serving.ServingConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may call from a browser, and what (CORS of the Fetch standard). Only what a page
 * needs: to evaluate flags, to report outcomes, to activate decisions. No cookie is ever read, so
 * that any page may call where a key is asked for; where none is, a page that somebody happens to
 * visit could, and only the listed ones may. Immutable and thread-safe.
 */
@Singleton
final class Origins {

  private static final String ANY = "*";

  private static final Pattern FOR_PAGES =
      Pattern.compile("/ofrep/.*|/v1/outcomes(:batch)?|/v1/decisions/[^/]+:activate");

  private static final String METHODS = "POST";
  private static final String REQUEST_HEADERS =
      "Content-Type, Authorization, X-API-Key, If-None-Match";
  private static final String ANSWER_HEADERS = "ETag, Retry-After";

  /** The longest that browsers keep a preflight's answer. */
  private static final String MAX_AGE_SECONDS = "7200";

  private final List<String> listed;
  private final boolean any;
  private final boolean open;

  Origins(ServingConfig config) {
    listed = config.corsOrigins();
    open = config.auth() == ServingConfig.Auth.NONE;
    any = listed.contains(ANY) && !open;
  }

  /**
   * Whether a browser sends this for a page that nobody listed, to a service that asks for no key.
   * Browsers send some requests without asking and only keep the answer from the page, but what
   * they do is done. A page of this very host is no stranger.
   */
  boolean isStranger(HttpServerRequest request) {
    return isStranger(request.getHeader(HttpHeaders.ORIGIN), request.getHeader(HttpHeaders.HOST));
  }

  boolean isStranger(@Nullable String origin, @Nullable String host) {
    return open
        && origin != null
        && !listed.contains(origin)
        && !origin.replaceFirst("^https?://", "").equals(host);
  }

  /** Whether a browser asks if a page may send a request; it does so without the page's key. */
  static boolean isPreflight(HttpServerRequest request) {
    return request.method().equals(HttpMethod.OPTIONS)
        && request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
  }

  /**
   * Whether the request comes from a page that may call this path; the answer then says so, which
   * is what the browser goes by.
   */
  boolean admit(String path, HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null || !FOR_PAGES.matcher(path).matches()) {
      return false;
    }
    HttpServerResponse response = request.response();
    if (!any) {
      response.putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
      if (!listed.contains(origin)) {
        return false;
      }
    }
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, any ? ANY : origin);
    if (isPreflight(request)) {
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
      response.putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
    } else {
      response.putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
    }
    return true;
  }
}
