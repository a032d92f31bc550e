/**
 * Looks for the algorithm and the settings that suit a surface's log: {@link
 * io.bellwether.trainer.search.Search} draws them, trains on what was decided early, judges on what
 * was decided later, and corrects what it says for how often it looked.
 */
@NullMarked
package io.bellwether.trainer.search;

import org.jspecify.annotations.NullMarked;
