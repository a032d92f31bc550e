/**
 * From trained networks to the ONNX file that a policy version carries.
 *
 * <p>Exported graphs are ragged: any number of requests and candidates in one batch, no padding.
 * Read {@link io.bellwether.trainer.export.OnnxExporter} first; {@link
 * io.bellwether.trainer.export.LinearRanking} is a policy that nobody trained.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.export;
