/**
 * What a policy's graph takes and gives. A schema is derived from a surface, travels in a policy's
 * manifest, and is what serving compares with its own before it loads a version. Read {@link
 * io.bellwether.policy.schema.FeatureSchema}.
 */
@NullMarked
package io.bellwether.policy.schema;

import org.jspecify.annotations.NullMarked;
