/**
 * What a policy is, how it is scored, and how versions are kept and moved. The parts are the
 * feature schema, scoring and sampling, versions with their evidence, the objects on disk that are
 * the truth, and the index of them in Redis. Read {@code version.PolicyStore} first.
 */
@NullMarked
package io.bellwether.policy;

import org.jspecify.annotations.NullMarked;
