import type { FastifyInstance } from 'fastify';
import { shareKit } from '#contract/app/records/overview.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { downloadShareKit } from './download-share-kit.ts';

export function shareKitRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, shareKit, 'application/pdf', (chosen, { organizer }) => downloadShareKit(deps, organizer, chosen));
}
