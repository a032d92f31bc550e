package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What Bellwether answered to an accepted request.
 *
 * @param body a missing node when the answer had none
 * @param replayed whether an earlier attempt's answer was given again
 * @param nanos from sending the attempt that was answered to its last byte
 */
record Answer(int status, JsonNode body, boolean replayed, long nanos) {}
