/**
 * How logs that other systems wrote become transitions of ours. {@link
 * io.bellwether.trainer.imports.OpenBanditImport} reads the Open Bandit Dataset; each importer
 * streams its files, keeps what it cannot read in a rejects file with line and reason, and gives an
 * {@link io.bellwether.trainer.imports.ImportReport} of what came of it. Imported decisions carry
 * the mode {@code IMPORTED}: they can be learned from and evaluated on, but not replayed.
 */
@NullMarked
package io.bellwether.trainer.imports;

import org.jspecify.annotations.NullMarked;
