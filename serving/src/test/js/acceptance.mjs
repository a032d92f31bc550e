// What the public OpenFeature providers see of a running service, as one JSON document.
// node acceptance.mjs flags|refused|failed BASE_URL API_KEY
import { OpenFeature } from '@openfeature/server-sdk';
import { OpenFeature as OpenFeatureWeb } from '@openfeature/web-sdk';
import { BellwetherProvider } from './server.js';
import { BellwetherWebProvider } from './web.js';

const [mode, baseUrl, apiKey] = process.argv.slice(2);
const PEOPLE = 2000;
// What a service admits however busy it is.
const AT_ONCE = 8;

let domains = 0;

/** The options of a provider, and the statuses of what it was answered. */
function watched(key = apiKey) {
  const statuses = [];
  const fetchImplementation = async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  };
  return { statuses, options: { baseUrl, headers: [['X-API-Key', key]], fetchImplementation } };
}

async function serverClient(options) {
  const domain = `server-${++domains}`;
  const provider = new BellwetherProvider(options);
  await OpenFeature.setProviderAndWait(domain, provider);
  return { client: OpenFeature.getClient(domain), provider };
}

/** The same people's variants of a flag, by person. */
async function split(client) {
  const variants = {};
  for (let from = 0; from < PEOPLE; from += AT_ONCE) {
    const people = Array.from({ length: AT_ONCE }, (_, i) => `person-${from + i}`);
    const all = await Promise.all(
      people.map((person) => client.getStringDetails('cta', 'none', { targetingKey: person })),
    );
    all.forEach((details, i) => (variants[people[i]] = details.variant));
  }
  return variants;
}

async function flags() {
  const { options } = watched();
  const { client, provider } = await serverClient(options);
  const context = { targetingKey: 'tracked-js', country: 'fi', seen: new Date(0), deep: { a: [1] } };
  const tracked = await client.getStringDetails('cta', 'none', context);
  client.track('like', context, { value: 1, page: 'checkout' });
  await provider.decisions.flush();
  const stranger = await serverClient(watched('wrong').options);
  return {
    split: await split(client),
    tracked,
    number: await client.getNumberDetails('limit', 0, context),
    whole: await client.getNumberDetails('retries', 0, context),
    object: await client.getObjectDetails('theme', {}, context),
    flag: await client.getBooleanDetails('quiet', false, context),
    unknown: await client.getStringDetails('no-such-flag', 'none', context),
    nobody: await client.getStringDetails('cta', 'none', {}),
    badContext: await client.getStringDetails('cta', 'none', { targetingKey: 'u', hour: 'seven' }),
    unauthenticated: await stranger.client.getStringDetails('cta', 'none', context),
    web: await web(),
  };
}

async function web() {
  const { statuses, options } = watched();
  const provider = new BellwetherWebProvider({ ...options, cacheMode: 'disabled' });
  await OpenFeatureWeb.setContext({ targetingKey: 'tracked-web', country: 'fi' });
  await OpenFeatureWeb.setProviderAndWait(provider);
  const client = OpenFeatureWeb.getClient();
  const seen = client.getStringDetails('cta', 'none');
  const again = client.getStringDetails('cta', 'none');
  client.track('like', { value: 1 });
  await provider.decisions.flush();
  await OpenFeatureWeb.setContext({ targetingKey: 'tracked-web', country: 'fi', scrolled: true });
  const unchanged = client.getStringDetails('cta', 'none');
  await OpenFeatureWeb.close();
  return { seen, again, unchanged, statuses };
}

async function refused() {
  const { client } = await serverClient(watched().options);
  const first = await client.getStringDetails('cta', 'none', { targetingKey: 'u' });
  const second = await client.getStringDetails('cta', 'none', { targetingKey: 'u' });
  return { first, second };
}

async function failed() {
  const { client } = await serverClient(watched().options);
  return client.getStringDetails('outage', 'none', { targetingKey: 'u' });
}

const seen = await { flags, refused, failed }[mode]();
console.log(JSON.stringify(seen));
await OpenFeature.close();
