package io.bellwether.loadtest.serving;

/** The bytes of requests. Thread-safe: asked by the two threads of a generator. */
interface RequestSource {

  /** The whole request, head and body, as it goes over the wire; not changed afterwards. */
  byte[] request(long index);
}
