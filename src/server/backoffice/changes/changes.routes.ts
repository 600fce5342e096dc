import type { FastifyInstance } from 'fastify';
import { listChanges } from '#contract/v1/changes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readChanges } from './read-changes.ts';

export function changesRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, listChanges, (asked, { key }) => readChanges(deps, key, asked));
}
