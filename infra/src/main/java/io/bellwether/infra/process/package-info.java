/**
 * Programs as children of this process: started, watched, restarted and stopped. A child never
 * outlives us, not even when we are killed. Read {@link io.bellwether.infra.process.ProcessGroup}
 * first.
 */
@NullMarked
package io.bellwether.infra.process;

import org.jspecify.annotations.NullMarked;
