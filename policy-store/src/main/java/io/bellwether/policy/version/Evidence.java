package io.bellwether.policy.version;

import io.bellwether.policy.object.ObjectId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was found out about a version and is kept with it. Immutable, and only ever added.
 *
 * @param sequence among the version's evidence, from 1; orders it
 * @param version that it is about
 * @param kind what it is
 * @param content where its bytes are
 * @param verdict the conclusion, for {@link EvidenceKind#VERDICT} and nothing else
 * @param who attached it
 * @param at for people to read
 */
public record Evidence(
    long sequence,
    VersionId version,
    EvidenceKind kind,
    ObjectId content,
    @Nullable GateVerdict verdict,
    String who,
    Instant at) {}
