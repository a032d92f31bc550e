/**
 * Learning that goes on while it serves, in the simulated world: rounds of sessions by the current
 * policy, each followed by a change of it. Read {@link
 * io.bellwether.loadtest.learning.online.OnlineRounds} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.online;
