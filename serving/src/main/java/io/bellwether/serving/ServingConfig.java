package io.bellwether.serving;

import io.bellwether.policy.s3.StoreAddress;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Everything about the service that can be set. An unknown key stops the start. Immutable. */
@ConfigMapping(prefix = "bellwether")
public interface ServingConfig {

  /** Kafka bootstrap servers, {@code host:port} separated by commas. */
  @WithDefault("127.0.0.1:9092")
  String kafka();

  /** Redis, {@code host:port} or a {@code redis://} URI. */
  @WithDefault("127.0.0.1:6379")
  String redis();

  /**
   * Where the policy store is: a folder, or {@code s3://bucket/prefix?endpoint=URL&region=NAME}
   * with credentials in the environment.
   */
  @WithDefault("data/policies")
  String store();

  /** Folder of surface files ({@code *.yaml}). */
  @WithDefault("surfaces")
  Path surfaces();

  /** Who may call: whoever has one of {@link #apiKeys}, or anybody. */
  @WithDefault("KEYS")
  Auth auth();

  /** Keys that callers send as {@code X-API-Key} or {@code Authorization: Bearer}. Secret. */
  Optional<List<String>> apiKeys();

  /**
   * Keys with the scope {@code admin}, sent in the same way: they may also browse, fix and replay
   * dead letters and erase subjects. Empty: nobody may. Secret.
   */
  Optional<List<String>> adminKeys();

  /**
   * At least 16 characters, from which pseudonyms of subjects are made: their ids then go no
   * further than the API. Empty: ids are logged as they come. Secret.
   */
  Optional<String> subjectKey();

  /** Subject keys of the past, so that an erasure also finds what was logged under them. Secret. */
  Optional<List<String>> formerSubjectKeys();

  /**
   * Web pages that may call from a browser, such as {@code https://shop.example}; {@code *}: any.
   */
  @WithDefault("*")
  List<String> corsOrigins();

  /** Port of the gRPC interface, on the address that HTTP listens on; 0: there is none. */
  @WithDefault("8081")
  int grpcPort();

  /** The service ends when this process ends; empty: it runs until it is told to stop. */
  OptionalLong parentPid();

  /** Threads that encode, score and sample; 0: one per core. */
  @WithDefault("0")
  int workers();

  /** Decisions in progress at once; what exceeds it is answered 429 before any work. */
  @WithDefault("256")
  int maxInFlight();

  /**
   * The word that the right Redis keeps under {@code bellwether:identity}; empty: of the Redis that
   * is met first. Nothing is read from another one. An empty store is given the word.
   */
  Optional<String> redisIdentity();

  /** How long Redis may take; after it a decision goes on without the subject's history. */
  @WithDefault("100ms")
  Duration redisTimeout();

  /** How long an event that has no deadline of its own may take to be logged; then it is 503. */
  @WithDefault("3s")
  Duration logTimeout();

  /** Memory for events that Kafka has not acknowledged yet. */
  @WithDefault("32M")
  MemorySize logBuffer();

  /** Folder of this process alone, for events that Kafka does not take now. */
  @WithDefault("data/spool")
  Path spool();

  /** Most bytes of that folder; 0: what Kafka does not take is refused. */
  @WithDefault("256M")
  MemorySize spoolBytes();

  /** Where the events of an answer must be before it leaves. */
  @WithDefault("DISK")
  LogFirst logFirst();

  /** When an event in the spool counts as logged while Kafka is away. */
  @WithDefault("ALWAYS")
  Fsync spoolFsync();

  /** How long an event waits for Kafka at most before it goes to the spool. */
  @WithDefault("250ms")
  Duration spoolAfter();

  /** How long a decision can be repeated by its id. */
  @WithDefault("1h")
  Duration idempotencyTtl();

  /** How long a deferred decision can be activated, if its signals' windows do not end before. */
  @WithDefault("24h")
  Duration activationWindow();

  /**
   * Folder of the public keys ({@code *.pem}) whose signatures of policy versions and of moves
   * count, with the ids of those that no longer do in {@code revoked}.
   */
  Optional<Path> policyKeys();

  /** The key that signs what this service moves; empty: it moves nothing where that must be. */
  Optional<Path> policySigningKey();

  /** Whether a version or move has to be signed to count; empty: if there are keys. */
  Optional<Signatures> policySignatures();

  /** Where graphs run. */
  @WithDefault("AUTO")
  GraphDevice device();

  /** How often aliases are read even when nothing was announced. */
  @WithDefault("5s")
  Duration policyPoll();

  /** Most registered items per surface; each is kept in memory. */
  @WithDefault("100000")
  int maxItems();

  /** How often the logs of experiments are read, for what other replicas did. */
  @WithDefault("500ms")
  Duration experimentsRefresh();

  /**
   * How long what was read of experiments may be used; after it nobody is assigned until they can
   * be read again. A move is acknowledged this much later, when no replica can decide by what was
   * before.
   */
  @WithDefault("2s")
  Duration experimentsLease();

  /** How often rollouts are looked at, to advance, hold or take back. */
  @WithDefault("1s")
  Duration rolloutTick();

  /** Whether {@code POST /v1/noop} answers, beside which benchmarks measure; it does nothing. */
  @WithDefault("false")
  boolean noop();

  /** Who may call. */
  enum Auth {
    /** Callers with a key. */
    KEYS,
    /** Anybody who reaches the port: for a demonstration on one machine only. */
    NONE
  }

  /** Where the events of an answer must be before it leaves. */
  enum LogFirst {
    /** With the operating system of this machine; Kafka gets them within milliseconds. */
    DISK,
    /** Acknowledged by Kafka: for machines whose disk does not outlive a process. */
    KAFKA
  }

  /** When an event in the spool counts as logged while Kafka is away. */
  enum Fsync {
    /** When it is on the disk: it survives the machine. */
    ALWAYS,
    /** When the operating system has it: it survives this process. */
    NEVER
  }

  /** Whether policy versions have to be signed. */
  enum Signatures {
    /** A version that no trusted key signed does not serve, and such a move is not followed. */
    REQUIRED,
    /** They are; what was tampered with still is not. */
    OPTIONAL
  }

  /** Where graphs run. */
  enum GraphDevice {
    /** On the GPU where the library and the machine have one, else on the processor. */
    AUTO,
    CPU,
    /** On the GPU; where it cannot be, on the processor, with an alarm. */
    CUDA
  }

  /** All effective values, one a line, secrets masked. */
  default String describe() {
    return String.join(
        System.lineSeparator(),
        "bellwether.kafka=" + kafka(),
        "bellwether.redis=" + redis().replaceAll("//[^@/]*@", "//***@"),
        "bellwether.store=" + StoreAddress.of(store()),
        "bellwether.surfaces=" + surfaces().toAbsolutePath(),
        "bellwether.auth=" + auth(),
        "bellwether.api-keys=" + apiKeys().map(keys -> keys.size() + " (masked)").orElse("none"),
        "bellwether.admin-keys="
            + adminKeys().map(keys -> keys.size() + " (masked)").orElse("none"),
        "bellwether.subject-key=" + subjectKey().map(key -> "(masked)").orElse("none"),
        "bellwether.former-subject-keys="
            + formerSubjectKeys().map(keys -> keys.size() + " (masked)").orElse("none"),
        "bellwether.cors-origins=" + String.join(",", corsOrigins()),
        "bellwether.grpc-port=" + grpcPort(),
        "bellwether.parent-pid=" + (parentPid().isPresent() ? parentPid().getAsLong() : "none"),
        "bellwether.workers=" + workers(),
        "bellwether.max-in-flight=" + maxInFlight(),
        "bellwether.redis-identity=" + redisIdentity().orElse("of the first that is met"),
        "bellwether.redis-timeout=" + redisTimeout(),
        "bellwether.log-timeout=" + logTimeout(),
        "bellwether.log-buffer=" + logBuffer().asLongValue(),
        "bellwether.spool=" + spool().toAbsolutePath(),
        "bellwether.spool-bytes=" + spoolBytes().asLongValue(),
        "bellwether.log-first=" + logFirst(),
        "bellwether.spool-fsync=" + spoolFsync(),
        "bellwether.spool-after=" + spoolAfter(),
        "bellwether.idempotency-ttl=" + idempotencyTtl(),
        "bellwether.activation-window=" + activationWindow(),
        "bellwether.policy-keys="
            + policyKeys().map(Path::toAbsolutePath).map(Path::toString).orElse("none"),
        "bellwether.policy-signing-key="
            + policySigningKey().map(Path::toAbsolutePath).map(Path::toString).orElse("none"),
        "bellwether.policy-signatures="
            + policySignatures()
                .map(Signatures::name)
                .orElse(policyKeys().isPresent() ? "REQUIRED" : "OPTIONAL"),
        "bellwether.device=" + device(),
        "bellwether.policy-poll=" + policyPoll(),
        "bellwether.max-items=" + maxItems(),
        "bellwether.experiments-refresh=" + experimentsRefresh(),
        "bellwether.experiments-lease=" + experimentsLease(),
        "bellwether.noop=" + noop(),
        "bellwether.rollout-tick=" + rolloutTick());
  }
}
