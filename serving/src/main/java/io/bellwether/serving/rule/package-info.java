/**
 * What slates have to keep to beside their scores. {@link io.bellwether.serving.rule.RuleBook}
 * makes of a surface's rules and a request's own ones what the sampler reads and what is logged:
 * who is no candidate and why, what binds the slate, and what had to be given up.
 */
@NullMarked
package io.bellwether.serving.rule;

import org.jspecify.annotations.NullMarked;
