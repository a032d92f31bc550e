/**
 * Sessions: which decision of a subject follows which. {@link
 * io.bellwether.ingestion.session.SessionLinks} is the rule, free of any framework; {@link
 * io.bellwether.ingestion.session.LinkSessions} applies it to a stream and emits transitions. A
 * late decision or a late end of session restates whatever it changes.
 */
@NullMarked
package io.bellwether.ingestion.session;

import org.jspecify.annotations.NullMarked;
