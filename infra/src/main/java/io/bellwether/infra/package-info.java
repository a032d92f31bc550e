/**
 * The embedded platform and the {@code bellwether} command: the only module that knows all others,
 * at run time. Nothing of ours depends on it. Read {@link io.bellwether.infra.command.Bellwether}
 * first, then {@link io.bellwether.infra.local.LocalSystem}.
 */
@NullMarked
package io.bellwether.infra;

import org.jspecify.annotations.NullMarked;
