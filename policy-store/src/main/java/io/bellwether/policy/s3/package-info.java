/**
 * A policy store in a bucket of any S3-compatible store. Read {@link
 * io.bellwether.policy.s3.StoreAddress}, which opens what a person names, then {@link
 * io.bellwether.policy.s3.S3Depot}.
 */
@NullMarked
package io.bellwether.policy.s3;

import org.jspecify.annotations.NullMarked;
