/**
 * Which policy answers. {@link io.bellwether.serving.policy.Versions} holds the open versions of
 * each surface; {@link io.bellwether.serving.policy.PolicyLoader} swaps what {@link
 * io.bellwether.serving.policy.VersionOpener} has verified, opened and tried; and {@link
 * io.bellwether.serving.policy.PolicyResource} lists and moves versions. A version that is refused
 * leaves the last good champion in its place.
 */
@NullMarked
package io.bellwether.serving.policy;

import org.jspecify.annotations.NullMarked;
