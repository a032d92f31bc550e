import { OFREPProvider } from '@openfeature/ofrep-provider';
import { Decisions } from './decisions.js';

/**
 * The OFREP provider for servers, with tracking. Whoever evaluates a flag here is about to use it,
 * and Bellwether counts the subject as exposed.
 */
export class BellwetherProvider extends OFREPProvider {
  constructor(options) {
    super(options);
    this.decisions = new Decisions(options);
    this.hooks = [
      {
        after: ({ flagKey, context }, { flagMetadata }) => {
          if (flagMetadata.decisionId) {
            this.decisions.remember(context.targetingKey, flagKey, flagMetadata.decisionId);
          }
        },
      },
    ];
  }

  /** `client.track('purchase', { targetingKey: 'u1' }, { value: 19.9 })` */
  track(signal, context, details) {
    this.decisions.track(signal, context.targetingKey, details);
  }

  async onClose() {
    await this.decisions.flush();
  }
}
