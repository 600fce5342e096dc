import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/programs/api-keys.ts';
import { keyRevoked } from '#messages/programs/api-keys-page.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { createKey } from './create-key.ts';
import { listKeys, revokeKey } from './keys.ts';

export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.apiKeys, (_input, { organizer }) => listKeys(deps, organizer));
  mount(app, contract.createApiKey, (form, { organizer }) => createKey(deps, organizer, form));
  mount(app, contract.revokeApiKey, async ({ keyId }, { organizer }) => {
    await revokeKey(deps, organizer, keyId);
    return { msg: keyRevoked };
  });
}
