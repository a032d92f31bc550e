@org.jspecify.annotations.NullMarked
package io.bellwether.evaluation;
