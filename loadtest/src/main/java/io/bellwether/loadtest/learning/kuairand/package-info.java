/**
 * Learners on a log in the layout of KuaiRand that the user has: what they would have reached there
 * by off-policy estimates, as nobody knows the truth. Read {@link
 * io.bellwether.loadtest.learning.kuairand.LoggedStudy} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.kuairand;
