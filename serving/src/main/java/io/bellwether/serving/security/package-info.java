/**
 * Who may call, and what is turned away before its body is read. {@link
 * io.bellwether.serving.security.Gate} stands in front of every route, {@link
 * io.bellwether.serving.security.ApiKeys} knows the keys. Secrets are compared in constant time and
 * are never logged.
 */
@NullMarked
package io.bellwether.serving.security;

import org.jspecify.annotations.NullMarked;
