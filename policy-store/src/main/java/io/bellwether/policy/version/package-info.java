/**
 * Policy versions: immutable, with evidence that is attached afterwards and aliases that move by
 * compare-and-set. All of it is files on disk, in content-addressed objects and numbered records.
 * Read {@link io.bellwether.policy.version.PolicyStore}, then {@link
 * io.bellwether.policy.version.PolicyManifest}.
 */
@NullMarked
package io.bellwether.policy.version;

import org.jspecify.annotations.NullMarked;
