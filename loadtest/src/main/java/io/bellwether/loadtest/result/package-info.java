/**
 * What all measurements have in common once they are done: what they had to show, the page of
 * tables that people read, and the figures that scripts compare. Read {@link
 * io.bellwether.loadtest.result.Measurement} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.result;
