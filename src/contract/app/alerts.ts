/** Alerts: problems of the installation that operators are emailed about. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

export const alertKinds = [
  'action-item',
  'discrepancy',
  'dispute-due',
  'email-failing',
  'check-failed',
  'abuse-reports',
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** The open ones, oldest first. */
export const adminAlerts = endpoint({
  method: 'GET',
  path: '/api/protected/admin/alerts',
  access: 'admin',
  input: z.object({}),
  reply: z.object({
    alerts: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(alertKinds),
        subject: z.string(),
        raisedAt: z.string(),
        /** Null if no email went out, for lack of an address. */
        lastSentAt: z.nullable(z.string()),
      }),
    ),
    total: z.number(),
  }),
});
