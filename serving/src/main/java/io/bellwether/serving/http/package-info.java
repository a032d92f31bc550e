/**
 * The short way of requests of which there are very many: from the wire to the code that answers
 * and back, without what the framework does for all others.
 */
@NullMarked
package io.bellwether.serving.http;

import org.jspecify.annotations.NullMarked;
