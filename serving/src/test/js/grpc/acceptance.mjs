// What a client from the registry sees of the gRPC interface, as one line of JSON.
import { connect, struct } from './client.mjs';

const [address, key] = process.argv.slice(2);
const bellwether = connect(address, key);
const stranger = connect(address, 'wrong');

const request = (id, more = {}) => ({
  surface: 'feed',
  decisionId: id,
  subject: { id: 'kävijä-🦊' },
  context: struct({ country: 'fi', hour: 7, taste: [0.25, -1.5] }),
  candidates: [1, 2, 3].map((hours) => ({
    id: `item/${hours}`,
    features: struct({ age_hours: hours, fresh: hours === 1 }),
  })),
  ...more,
});
const refusal = (call) =>
  call.then(
    () => 'answered',
    (error) => ({ code: error.code, details: error.details }),
  );

const seen = {};
seen.dry = await bellwether.decide(request('grpc-dry', { options: { dryRun: true, topK: 2 } }));
seen.first = await bellwether.decide(request('grpc-1'));
seen.again = await bellwether.decide(request('grpc-1'), {
  onMetadata: (metadata) => (seen.metadata = metadata),
});
seen.reused = await refusal(bellwether.decide(request('grpc-1', { options: { topK: 1 } })));
seen.unknownSurface = await refusal(bellwether.decide({ surface: 'nope' }));
seen.empty = await refusal(bellwether.decide({}));
seen.stranger = await refusal(stranger.decide(request('grpc-2')));
seen.batch = (
  await bellwether.decideBatch({
    decisions: [request('grpc-3'), { surface: 'nope', decisionId: 'x' }, request('grpc-1')],
  })
).items;
seen.receipt = await bellwether.recordOutcome({
  outcomeId: 'grpc-o1',
  decisionId: 'grpc-1',
  itemId: 'item/1',
  signal: 'like',
  value: 1,
  properties: struct({ page: 'home' }),
});
seen.outcomes = (
  await bellwether.recordOutcomes({
    outcomes: [
      { outcomeId: 'grpc-o2', decisionId: 'grpc-1', signal: 'watch_seconds', value: 0 },
      { outcomeId: 'grpc-o3', decisionId: 'grpc-1', signal: 'watch_seconds' },
    ],
  })
).items;
seen.unknownActivation = await refusal(bellwether.activate({ decisionId: 'grpc-none' }));
await bellwether.decide(request('grpc-4', { activation: 'DEFERRED' }));
seen.activated = await bellwether.activate({ decisionId: 'grpc-4' });
bellwether.close();
stranger.close();
console.log(JSON.stringify(seen));
