/**
 * What an evaluation found, for people and scripts, and what is kept of it with a version. {@link
 * io.bellwether.trainer.report.ReportJson} is the contract, and {@link
 * io.bellwether.trainer.report.ReportPage} draws it; {@link
 * io.bellwether.trainer.report.EvidenceFiling} keeps both as evidence.
 */
@NullMarked
package io.bellwether.trainer.report;

import org.jspecify.annotations.NullMarked;
