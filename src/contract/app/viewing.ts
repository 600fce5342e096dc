/** Support: an operator sees the product as an organization does, and changes nothing. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';

const ORGANIZATION_MAX = 300;

/** The session acts for the organization for 30 minutes, and only reads. */
export const viewAs = endpoint({
  method: 'POST',
  path: '/api/protected/admin/view-as',
  access: 'admin',
  worksWhileViewing: true,
  input: z.object({
    /** Its ID, or the email address of an owner. */
    organization: z.string().check(z.trim(), z.maxLength(ORGANIZATION_MAX)),
  }),
  reply: messageReply,
});

export const endViewing = endpoint({
  method: 'POST',
  path: '/api/protected/end-viewing',
  access: 'organizer',
  worksWhileViewing: true,
  input: z.object({}),
  reply: messageReply,
});

/** Whom the session acts for, if that isn't the caller's own organization. */
export const viewing = endpoint({
  method: 'GET',
  path: '/api/protected/viewing',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    viewing: z.nullable(z.object({ organization: z.nullable(z.string()), until: z.string() })),
  }),
});
