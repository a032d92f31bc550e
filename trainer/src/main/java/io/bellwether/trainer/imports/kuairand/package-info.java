/**
 * The KuaiRand dataset as logs: {@link io.bellwether.trainer.imports.kuairand.KuaiRandImport} finds
 * its files. Rows that were shown at random have exact propensities, all others have none.
 */
@NullMarked
package io.bellwether.trainer.imports.kuairand;

import org.jspecify.annotations.NullMarked;
