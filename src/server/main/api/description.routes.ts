import type { FastifyInstance } from 'fastify';
import { apiDescription } from '#contract/v1/description.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { apiDocument } from './api-document.ts';

export function apiDescriptionRoutes(app: FastifyInstance, { publicUrl }: Pick<Deps, 'publicUrl'>): void {
  const document = apiDocument(publicUrl);
  mount(app, apiDescription, async () => document);
}
