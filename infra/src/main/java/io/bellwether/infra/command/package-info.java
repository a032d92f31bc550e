/**
 * The {@code bellwether} command: one class per verb, each with examples, plain errors and the exit
 * codes of {@link io.bellwether.infra.command.ExitCode}. Verbs decide and print; the work is done
 * by the modules that own it. Read {@link io.bellwether.infra.command.Bellwether} first.
 */
@NullMarked
package io.bellwether.infra.command;

import org.jspecify.annotations.NullMarked;
