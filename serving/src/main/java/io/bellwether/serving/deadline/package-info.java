/**
 * What a request has time for. {@link io.bellwether.serving.deadline.Deadlines} runs a request's
 * policy against its {@link io.bellwether.serving.deadline.Deadline}, on threads that no policy can
 * hold up; {@link io.bellwether.serving.deadline.Race} is one such request, with exactly one
 * answer.
 */
@NullMarked
package io.bellwether.serving.deadline;

import org.jspecify.annotations.NullMarked;
