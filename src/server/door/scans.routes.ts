import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/door.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { handInScans } from './hand-in-scans.ts';
import { takeBackScan } from './take-back-scan.ts';

/** @param first whose connections are kept for guests who stand at the door: what was decided long ago may wait for others */
export function scanRoutes(app: FastifyInstance, deps: Deps, first: Deps) {
  mount(app, contract.handInScans, async ({ scans }, { attendant }) => handInScans(deps, attendant, scans));

  mount(app, contract.takeBackScan, async ({ scanId }, { attendant }) => takeBackScan(first, attendant, scanId));
}
