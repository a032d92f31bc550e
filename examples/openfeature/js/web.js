import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { Decisions } from './decisions.js';

/**
 * The OFREP provider for pages, with tracking. All flags come with one call, and a subject counts
 * as exposed to a flag once the page has looked at its value.
 */
export class BellwetherWebProvider extends OFREPWebProvider {
  constructor(options, logger) {
    super(options, logger);
    this.decisions = new Decisions(options);
    this.hooks = [
      {
        after: ({ flagKey, context }, { flagMetadata }) => {
          const id = flagMetadata.decisionId;
          if (id && this.decisions.remember(context.targetingKey, flagKey, id)) {
            this.decisions.activate(id);
          }
        },
      },
    ];
  }

  /** `client.track('purchase', { value: 19.9 })` */
  track(signal, context, details) {
    this.decisions.track(signal, context.targetingKey, details);
  }

  async onClose() {
    await this.decisions.flush();
    await super.onClose();
  }
}
