/**
 * The erasure of a subject: everything that was decided for it up to now is forgotten, wherever it
 * is kept. {@link io.bellwether.serving.subject.Erasures} walks an erasure from the request to its
 * receipt; {@link io.bellwether.serving.subject.Receipts} is the chain of what was done, which does
 * not name anybody.
 */
@NullMarked
package io.bellwether.serving.subject;

import org.jspecify.annotations.NullMarked;
