/**
 * Whom a request is about, as the rest of the service sees it. {@link
 * io.bellwether.serving.pseudonym.Pseudonyms} puts a keyed hash in the place of a subject's id, and
 * {@link io.bellwether.serving.pseudonym.Placeholders} tells ids that stand for nobody.
 */
@NullMarked
package io.bellwether.serving.pseudonym;

import org.jspecify.annotations.NullMarked;
