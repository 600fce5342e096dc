/** Teams: the members of an organization, invitations, and the organizations of a person. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { messageReply } from '#contract/message-reply.ts';
import { roles } from '#domain/accounts/roles.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';

const EVENT_ID = /^[\w-]{16}$/;

/** A role, for all events (null) or for chosen ones. Owners and admins always have all. */
const access = {
  role: z.enum(roles),
  onlyEventIds: z.nullable(
    z.array(z.string().check(z.regex(EVENT_ID))).check(z.minLength(1), z.maxLength(ONLY_EVENTS_MAX)),
  ),
};

export const team = endpoint({
  method: 'GET',
  path: '/api/protected/members',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    /** Owners first, then by address. */
    members: z.array(
      z.object({
        userId: z.string(),
        email: z.string(),
        ...access,
        joinedAt: z.string(),
        lastSeenAt: z.nullable(z.string()),
        isYou: z.boolean(),
      }),
    ),
    /** Those that can still be accepted, newest first. */
    invitations: z.array(z.object({ id: z.string(), email: z.string(), ...access, expiresAt: z.string() })),
    /** What members can be given, newest first. */
    events: z.array(z.object({ eventId: z.string(), title: z.string() })),
  }),
});

export type Team = z.infer<(typeof team)['reply']>;

/** Inviting an address again replaces its invitation. */
export const invite = endpoint({
  method: 'POST',
  path: '/api/protected/invite',
  access: 'organizer',
  input: z.object({ email: emailField, ...access }),
  reply: messageReply,
});

export const withdrawInvitation = endpoint({
  method: 'POST',
  path: '/api/protected/withdraw-invitation',
  access: 'organizer',
  input: z.object({ invitationId: z.uuid() }),
  reply: messageReply,
});

export const changeRole = endpoint({
  method: 'POST',
  path: '/api/protected/change-role',
  access: 'organizer',
  input: z.object({ userId: z.uuid(), ...access }),
  reply: messageReply,
});

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/protected/remove-member',
  access: 'organizer',
  input: z.object({ userId: z.uuid() }),
  reply: messageReply,
});

/** The session then acts for another organization of the caller. */
export const leaveOrganization = endpoint({
  method: 'POST',
  path: '/api/protected/leave-organization',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

export const organizations = endpoint({
  method: 'GET',
  path: '/api/protected/organizations',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    organizations: z.array(
      z.object({
        organizationId: z.string(),
        /** Null until its account information is saved. */
        name: z.nullable(z.string()),
        role: z.enum(roles),
        isForAllEvents: z.boolean(),
        /** The one that the session acts for. */
        isThis: z.boolean(),
      }),
    ),
  }),
});

export const switchOrganization = endpoint({
  method: 'POST',
  path: '/api/protected/switch-organization',
  access: 'organizer',
  input: z.object({ organizationId: z.uuid() }),
  reply: z.object({}),
});

/** What an emailed invitation offers. */
export const invitation = endpoint({
  method: 'POST',
  path: '/api/public/invitation',
  access: 'public',
  input: z.object({ token: z.string() }),
  reply: z.object({
    organizationName: z.nullable(z.string()),
    /** The address that was invited. */
    email: z.string(),
    role: z.enum(roles),
    isForAllEvents: z.boolean(),
  }),
});

/** By the account of the invited address. The session then acts for the organization. */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/protected/accept-invitation',
  access: 'organizer',
  input: z.object({ token: z.string() }),
  reply: messageReply,
});
