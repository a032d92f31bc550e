/**
 * How often 95 % intervals contain a truth that is known, over many logs drawn by seed. Read {@link
 * io.bellwether.loadtest.evaluation.coverage.CoverageTable} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation.coverage;
