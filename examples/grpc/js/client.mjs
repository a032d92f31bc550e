// Bellwether's gRPC interface from Node: two public packages and decisions.proto.
import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const METHODS = ['decide', 'decideBatch', 'activate', 'recordOutcome', 'recordOutcomes'];

/**
 * The methods of the service, each a function of a request that gives a promise of the answer; a refusal is an
 * Error with `code` and `details`. One connection carries all calls; `close` ends it.
 *
 * @param address of serving, such as localhost:8081
 * @param proto the file decisions.proto
 */
export function connect(address, key, proto = 'decisions.proto') {
  const file = loadSync(proto, { defaults: true, longs: Number });
  const { Decisions } = grpc.loadPackageDefinition(file).bellwether.v1;
  const client = new Decisions(address, grpc.credentials.createInsecure());
  const service = { close: () => client.close() };
  for (const method of METHODS) {
    service[method] = (request, { deadlineMs = 5000, onMetadata = () => {} } = {}) =>
      new Promise((resolve, reject) => {
        const metadata = new grpc.Metadata();
        metadata.set('x-api-key', key);
        const deadline = Date.now() + deadlineMs;
        client[method](request, metadata, { deadline }, (error, answer) =>
          error ? reject(error) : resolve(answer),
        ).on('metadata', (answered) => onMetadata(answered.getMap()));
      });
  }
  return service;
}

/** A plain object, such as a context or features, as the google.protobuf.Struct that a request takes. */
export function struct(object) {
  const fields = {};
  for (const [name, member] of Object.entries(object)) {
    fields[name] = value(member);
  }
  return { fields };
}

function value(member) {
  if (member === null) return { nullValue: 0 };
  if (Array.isArray(member)) return { listValue: { values: member.map(value) } };
  switch (typeof member) {
    case 'number':
      return { numberValue: member };
    case 'string':
      return { stringValue: member };
    case 'boolean':
      return { boolValue: member };
    default:
      return { structValue: struct(member) };
  }
}
