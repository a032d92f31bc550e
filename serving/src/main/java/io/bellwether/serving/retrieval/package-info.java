/**
 * Candidates where a request names none: {@link io.bellwether.serving.retrieval.Retrieval} proposes
 * a few of many registered items, those of an {@link io.bellwether.serving.retrieval.ItemFilter}
 * where the request has one. Nearest neighbours of what the policy looks for come first, then
 * {@link io.bellwether.serving.retrieval.Popularity}; fresh and random items always get a share.
 */
@NullMarked
package io.bellwether.serving.retrieval;

import org.jspecify.annotations.NullMarked;
