/**
 * Which policy answers. {@link io.bellwether.serving.policy.Versions} holds the open versions of
 * each surface, {@link io.bellwether.serving.policy.PolicyLoader} verifies, opens and swaps
 * versions, and {@link io.bellwether.serving.policy.PolicyResource} lists and moves them. A version
 * that cannot be loaded is refused, and the last good champion stays.
 */
@NullMarked
package io.bellwether.serving.policy;

import org.jspecify.annotations.NullMarked;
