/**
 * Items that were registered once and are then named by id. {@link
 * io.bellwether.serving.item.Catalogue} holds them encoded, in flat arrays, and gives an {@link
 * io.bellwether.serving.item.ItemTable} of any moment; {@link io.bellwether.serving.item.ItemFeed}
 * fills it from the compacted topic, which is the truth, and {@link
 * io.bellwether.serving.item.ItemResource} is where products register them.
 */
@NullMarked
package io.bellwether.serving.item;

import org.jspecify.annotations.NullMarked;
