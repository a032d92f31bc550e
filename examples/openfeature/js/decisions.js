// The part of Bellwether that the OpenFeature Remote Evaluation Protocol lacks: which decisions gave
// a subject its flags, and what came of them.

/** Subjects that are remembered; the one that asked longest ago is forgotten first. */
const MOST_SUBJECTS = 10_000;

export class Decisions {
  /** By subject: the latest decision of each flag. */
  #bySubject = new Map();
  #pending = new Set();

  /**
   * @param options `baseUrl`, `headers` or `headersFactory`, `fetchImplementation` as the OFREP
   *     provider takes them; `onError(error)` is told what could not be reported
   */
  constructor(options) {
    this.options = options;
  }

  /** Notes which decision gave a flag its value; true the first time. */
  remember(subject, flag, decisionId) {
    const flags = this.#bySubject.get(subject) ?? new Map();
    const isNew = flags.get(flag) !== decisionId;
    flags.set(flag, decisionId);
    this.#bySubject.delete(subject);
    this.#bySubject.set(subject, flags);
    if (this.#bySubject.size > MOST_SUBJECTS) {
      this.#bySubject.delete(this.#bySubject.keys().next().value);
    }
    return isNew;
  }

  /** Says that what was decided is being shown. */
  activate(decisionId) {
    this.#post(`/v1/decisions/${encodeURIComponent(decisionId)}:activate`, undefined);
  }

  /**
   * Reports an outcome of the flags that a subject was given: of one where `details.flag` names it,
   * else of each. `details.value` is the signal's value, 1 where there is none; the rest are
   * properties.
   */
  track(signal, subject, { value = 1, flag, ...properties } = {}) {
    const flags = this.#bySubject.get(subject) ?? new Map();
    const decisionIds = flag === undefined ? [...flags.values()] : [flags.get(flag)];
    const outcomes = decisionIds
      .filter((decisionId) => decisionId !== undefined)
      .map((decisionId) => ({
        // A name of its own, so that sending it twice counts once.
        outcomeId: crypto.randomUUID(),
        decisionId,
        signal,
        value,
        properties: scalars(properties),
      }));
    if (outcomes.length > 0) {
      this.#post('/v1/outcomes', outcomes);
    }
  }

  /** Waits until everything so far was reported, or failed. */
  async flush() {
    await Promise.all(this.#pending);
  }

  #post(path, body) {
    const sent = this.#send(path, body)
      .catch((error) => (this.options.onError ?? console.warn)(error))
      .finally(() => this.#pending.delete(sent));
    this.#pending.add(sent);
  }

  async #send(path, body) {
    const { baseUrl, headers, headersFactory, fetchImplementation = fetch } = this.options;
    const all = new Headers(headers);
    for (const [name, value] of new Headers(await headersFactory?.())) {
      all.set(name, value);
    }
    all.set('Content-Type', 'application/json');
    const request = { method: 'POST', headers: all, body: JSON.stringify(body), keepalive: true };
    const response = await fetchImplementation(`${baseUrl}${path}`, request);
    if (!response.ok) {
      throw new Error(`Bellwether refused ${path}: ${response.status} ${await response.text()}`);
    }
    if (response.status === 207) {
      const refused = (await response.json()).items.find((item) => item.status >= 400);
      if (refused) {
        throw new Error(`Bellwether refused an outcome: ${refused.problem.detail}`);
      }
    }
  }
}

/** Properties are texts, numbers and flags. */
function scalars(properties) {
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}
