/**
 * Threads for what must not run on the event loop. {@link io.bellwether.serving.work.Workers} is a
 * fixed number of threads with a bound on the requests in progress, which {@link
 * io.bellwether.serving.work.ConcurrencyLimit} measures; beyond it requests are turned away before
 * any work is done for them.
 */
@NullMarked
package io.bellwether.serving.work;

import org.jspecify.annotations.NullMarked;
