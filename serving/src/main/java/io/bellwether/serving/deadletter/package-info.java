/**
 * Dead letters: events that were refused, browsed, fixed and replayed by people. {@link
 * io.bellwether.serving.deadletter.DeadLetters} reads the topic and acts on it, {@link
 * io.bellwether.serving.deadletter.EventJson} shows an event's fields and reads them back. Nothing
 * here changes the topic itself: what was done stands in a topic of its own, so that the original
 * bytes stay.
 */
@NullMarked
package io.bellwether.serving.deadletter;

import org.jspecify.annotations.NullMarked;
