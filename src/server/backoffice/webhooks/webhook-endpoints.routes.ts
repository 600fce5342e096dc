import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/programs/webhooks.ts';
import * as v1 from '#contract/v1/webhook-endpoints.ts';
import { webhookDone } from '#messages/programs/webhooks.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { createEndpoint, editEndpoint, endOwnEndpoint, rotateSecret } from './manage-endpoints.ts';
import { listDeliveries, listEndpoints, listEndpointsByKey, readEndpointByKey } from './read-endpoints.ts';
import { sendAgain, sendTest } from './send-by-hand.ts';

export function webhookEndpointRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.webhookEndpoints, (_input, { organizer }) => listEndpoints(deps, organizer));
  mount(app, contract.createWebhookEndpoint, (form, { organizer }) =>
    createEndpoint(deps, organizer, form, async (_tx, created) => created),
  );
  mount(app, contract.editWebhookEndpoint, async (form, { organizer }) => {
    await editEndpoint(deps, organizer, form);
    return { msg: webhookDone.edited };
  });
  mount(app, contract.rotateWebhookSecret, ({ endpointId }, { organizer }) =>
    rotateSecret(deps, organizer, endpointId),
  );
  mount(app, contract.webhookDeliveries, (page, { organizer }) => listDeliveries(deps, organizer, page));
  mount(app, contract.testWebhook, async ({ endpointId }, { organizer }) => {
    await sendTest(deps, organizer, endpointId);
    return { msg: webhookDone.tested };
  });
  mount(app, contract.sendWebhookAgain, async (named, { organizer }) => {
    await sendAgain(deps, organizer, named);
    return { msg: webhookDone.sentAgain };
  });
  mount(app, contract.endWebhookEndpoint, async ({ endpointId }, { organizer }) => {
    await endOwnEndpoint(deps, organizer, endpointId);
    return { msg: webhookDone.ended };
  });

  mount(app, v1.listWebhookEndpoints, (_input, { key }) => listEndpointsByKey(deps, key));
  mount(app, v1.createWebhookEndpoint, ({ url, types, event_ids }, { key }) =>
    createEndpoint(deps, key, { url, types, onlyEventIds: event_ids }, async (tx, { endpointId, secret }) => ({
      ...(await readEndpointByKey({ db: tx }, key, endpointId)),
      secret,
    })),
  );
  mount(app, v1.updateWebhookEndpoint, async ({ endpoint_id, types, event_ids }, { key }) => {
    await editEndpoint(deps, key, {
      endpointId: endpoint_id,
      ...(types && { types }),
      ...(event_ids !== undefined && { onlyEventIds: event_ids }),
    });
    return readEndpointByKey(deps, key, endpoint_id);
  });
  mount(app, v1.endWebhookEndpoint, async ({ endpoint_id }, { key }) => {
    await endOwnEndpoint(deps, key, endpoint_id);
    return readEndpointByKey(deps, key, endpoint_id);
  });
}
