/**
 * From an actor to two towers with which serving finds its best candidates among very many items.
 * {@link io.bellwether.trainer.retrieval.TowerDistillation} trains them on the actor's own scores
 * and measures how many of the actor's best they find.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.retrieval;
