/**
 * Bytes that never change, in a folder or a bucket: objects named by their content, and numbered
 * records that are created once. They are the truth of the policy store; all else can be rebuilt
 * from them. Read {@link io.bellwether.policy.object.Depot}, then {@link
 * io.bellwether.policy.object.ContentStore} and {@link io.bellwether.policy.object.Journal}.
 */
@NullMarked
package io.bellwether.policy.object;

import org.jspecify.annotations.NullMarked;
