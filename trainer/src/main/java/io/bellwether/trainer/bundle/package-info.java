/**
 * How a policy version travels: as one file or folder that holds all of it, that MLflow and plain
 * ONNX tools can read, and that another store takes in under the same id. {@link
 * io.bellwether.trainer.bundle.Bundle} is what travels, {@link
 * io.bellwether.trainer.bundle.BundleImport} the way back.
 */
@NullMarked
package io.bellwether.trainer.bundle;

import org.jspecify.annotations.NullMarked;
