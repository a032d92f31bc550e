/**
 * Logs with something wrong in them, and what the evaluation says: each failure has a diagnostic
 * that must name it, and none may end in a pass. Read {@link
 * io.bellwether.loadtest.evaluation.planted.PlantedTable} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation.planted;
