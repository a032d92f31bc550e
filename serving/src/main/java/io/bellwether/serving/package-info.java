/**
 * The Quarkus service, one package per feature; a decision's way starts at {@code
 * decision.DecisionResource}, an outcome's at {@code outcome.OutcomeResource}. This package holds
 * what all of them are given: {@link io.bellwether.serving.ServingConfig} and the clock. It depends
 * on none of them.
 */
@NullMarked
package io.bellwether.serving;

import org.jspecify.annotations.NullMarked;
