/**
 * Who vouches for a policy version. {@link io.bellwether.policy.signature.SigningKey} signs, {@link
 * io.bellwether.policy.signature.TrustedKeys} says whose signatures count, and {@link
 * io.bellwether.policy.signature.Envelope} is a signed statement as DSSE writes it, which other
 * tools read and verify too. Ed25519 throughout, from the JDK.
 */
@NullMarked
package io.bellwether.policy.signature;

import org.jspecify.annotations.NullMarked;
