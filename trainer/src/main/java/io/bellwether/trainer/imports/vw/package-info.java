/**
 * Logs in Vowpal Wabbit's formats: dsjson, which is also what Azure Personalizer mirrored, and
 * text. {@link io.bellwether.trainer.imports.vw.DsjsonReader} and {@link
 * io.bellwether.trainer.imports.vw.VwTextReader} read them as decisions, {@link
 * io.bellwether.trainer.imports.vw.DsjsonExport} writes transitions of ours as dsjson, and {@link
 * io.bellwether.trainer.imports.vw.VwText} turns dsjson into text.
 */
@NullMarked
package io.bellwether.trainer.imports.vw;

import org.jspecify.annotations.NullMarked;
