package io.bellwether.policy.version;

import io.bellwether.policy.object.ObjectId;
import java.time.Instant;

/**
 * A published version's entry in the list of its policy. Immutable.
 *
 * @param sequence among the policy's versions, from 1; orders them
 * @param name of the policy
 * @param id of the version
 * @param manifest where the manifest's bytes are
 * @param at when it was published, for people to read
 */
public record PolicyVersion(
    long sequence, String name, VersionId id, ObjectId manifest, Instant at) {}
