package io.bellwether.serving.problem;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * A refusal as the OpenFeature Remote Evaluation Protocol writes it. Its clients parse the body of
 * every status but 304, and some fail on a body without these members, so that everything under
 * {@link #speaks its paths} is refused in this shape. Immutable.
 *
 * @param key of the flag; empty where all flags were asked for
 * @param errorCode what the client tells the application
 * @param errorDetails what was found, and what would be right
 */
public record FlagFailure(String key, ErrorCode errorCode, String errorDetails) {

  private static final String PATHS = "/ofrep/";
  private static final String FLAGS = "/ofrep/v1/evaluate/flags/";

  /** The protocol has one status for whatever is not the caller's fault. */
  private static final int SERVICE_FAULT = 500;

  /** What the protocol can call a failure. */
  public enum ErrorCode {
    PARSE_ERROR,
    TARGETING_KEY_MISSING,
    INVALID_CONTEXT,
    FLAG_NOT_FOUND,
    GENERAL
  }

  /** Whether callers of this path expect failures of this shape. */
  public static boolean speaks(String path) {
    return path.startsWith(PATHS);
  }

  /**
   * The refusal of a request for this path.
   *
   * @param path as it was sent, percent-encoded
   */
  public static FlagFailure of(String path, Problem problem) {
    return ofFlag(keyIn(path), problem);
  }

  /** The refusal of one flag among several. */
  public static FlagFailure ofFlag(String key, Problem problem) {
    return new FlagFailure(key, code(problem), problem.detail());
  }

  /** The problem's status, as far as the protocol knows it. */
  public static int status(Problem problem) {
    return Math.min(problem.status(), SERVICE_FAULT);
  }

  private static ErrorCode code(Problem problem) {
    return switch (problem.slug()) {
      case INVALID_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE -> ErrorCode.PARSE_ERROR;
      case TARGETING_KEY_MISSING -> ErrorCode.TARGETING_KEY_MISSING;
      case INVALID_CONTEXT -> ErrorCode.INVALID_CONTEXT;
      case NOT_FOUND -> ErrorCode.FLAG_NOT_FOUND;
      default -> ErrorCode.GENERAL;
    };
  }

  private static String keyIn(String path) {
    if (!path.startsWith(FLAGS)) {
      return "";
    }
    String key = path.substring(FLAGS.length());
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key; // '%' without two hex digits: shown as it was sent
    }
  }
}
