/**
 * How a request body becomes checked values. {@link io.bellwether.serving.request.JsonBody} parses
 * bytes strictly, {@link io.bellwether.serving.request.JsonFields} reads an object's fields and
 * notes every mistake with its pointer, and {@link io.bellwether.serving.request.Limits} holds the
 * bounds that {@code GET /v1/limits} advertises. Nothing here knows what a request is about.
 */
@NullMarked
package io.bellwether.serving.request;

import org.jspecify.annotations.NullMarked;
