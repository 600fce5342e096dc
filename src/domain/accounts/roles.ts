/** What a member or a program may do in an organization, and what a member has to prove first. */
import type { Scope } from './api-keys.ts';

export const roles = ['owner', 'admin', 'editor', 'finance', 'check-in', 'viewer'] as const;

export type Role = (typeof roles)[number];

const everyone = roles;
const owners = ['owner'] as const;
const managers = ['owner', 'admin'] as const;
const editors = ['owner', 'admin', 'editor'] as const;

/**
 * `verified-email`: the address is the member's, so a stranger who registered it gets nowhere. `reauthentication`: the member
 * entered the password a moment ago, so a stolen session gets no money and no personal data.
 */
type Proof = 'verified-email' | 'reauthentication';

interface Permission {
  roles: readonly Role[];
  needs?: readonly Proof[];
  /** Denied to members who were given chosen events. */
  needsAllEvents?: true;
  /** Each lets a key do it. Without any, no key can. */
  scopes?: readonly Scope[];
}

/** Everything of another organization is not found. */
const permissions = {
  // What a key may do to an event takes reading it.
  'event.view': {
    roles: everyone,
    scopes: [
      'events:read',
      'events:write',
      'orders:read',
      'guests:write',
      'check_ins:write',
      'reports:read',
      'webhooks:write',
    ],
  },
  'event.create': { roles: editors, needsAllEvents: true, scopes: ['events:write'] },
  'event.edit': { roles: editors, scopes: ['events:write'] },
  'event-tax.edit': { roles: ['owner', 'admin', 'finance'] },
  'event.cancel': { roles: managers },
  'sales.view': { roles: ['owner', 'admin', 'editor', 'finance', 'viewer'], scopes: ['reports:read'] },
  'guest.view': { roles: ['owner', 'admin', 'editor', 'finance'], scopes: ['orders:read'] },
  'guest.export': { roles: ['owner', 'admin', 'finance'], needs: ['reauthentication'] },
  'ticket.resend': { roles: editors },
  'ticket.refund': { roles: ['owner', 'admin', 'finance'], needs: ['verified-email', 'reauthentication'] },
  'order.correct-email': { roles: editors, needs: ['verified-email'] },
  'door-note.edit': { roles: editors },
  'comp.manage': { roles: editors, needs: ['verified-email'], scopes: ['guests:write'] },
  'check-in.manage': { roles: editors },
  'check-in.scan': { roles: ['owner', 'admin', 'editor', 'check-in'], scopes: ['check_ins:write'] },
  'dispute.answer': { roles: ['owner', 'admin', 'finance'] },
  'payout.view': { roles: ['owner', 'admin', 'finance'], scopes: ['reports:read'] },
  'payout.request': { roles: ['owner', 'finance'], needs: ['verified-email', 'reauthentication'] },
  'audit.view': { roles: managers },
  'api-key.view': { roles: managers },
  'api-key.create': { roles: managers, needs: ['verified-email', 'reauthentication'] },
  'api-key.revoke': { roles: managers },
  'webhook.view': { roles: managers, scopes: ['webhooks:write'] },
  'webhook.create': { roles: managers, needs: ['verified-email', 'reauthentication'], scopes: ['webhooks:write'] },
  'webhook.change': { roles: managers, scopes: ['webhooks:write'] },
  'affiliate-code.generate': { roles: managers },
  'member.view': { roles: managers },
  'member.manage': { roles: managers, needs: ['verified-email'] },
  'owner.manage': { roles: owners, needs: ['verified-email', 'reauthentication'] },
  'organization.identify': { roles: owners, needs: ['verified-email'] },
  'organization-page.edit': { roles: managers, needs: ['verified-email'] },
  'tax-id.change': { roles: owners, needs: ['verified-email', 'reauthentication'] },
  'organization.require-factor': { roles: owners, needs: ['reauthentication'] },
  'organization.delete': { roles: owners, needs: ['reauthentication'] },
  'organization.export': { roles: owners, needs: ['reauthentication'] },
  'payout-account.manage': { roles: owners, needs: ['verified-email', 'reauthentication'] },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof permissions;

/** How long an entered password counts. */
export const REAUTHENTICATION_MINUTES = 10;

/** What a member was given. */
export interface Access {
  role: Role;
  /** Null: all events, also future ones. */
  onlyEventIds: readonly string[] | null;
}

export interface Authority extends Access {
  emailVerifiedAt: Date | null;
  /** Whether the member entered the password in the last minutes. */
  isReauthenticated: boolean;
  /** The organization requires a second factor that the member hasn't set up. */
  lacksFactor: boolean;
  /** Of a key, which its creator's role doesn't matter for. Null: a person. */
  scopes: readonly Scope[] | null;
}

export type ActionDenial =
  | 'factor-required'
  | 'role-denied'
  | 'scope-missing'
  | 'key-of-chosen-events'
  | 'email-unverified'
  | 'reauthentication-required';

/** Whether the member may do it, whatever has to be proved first. */
export function isAllowed({ role, onlyEventIds }: Access, action: Action): boolean {
  const permission: Permission = permissions[action];
  return permission.roles.includes(role) && !(permission.needsAllEvents && onlyEventIds);
}

export const isGiven = ({ onlyEventIds }: Pick<Access, 'onlyEventIds'>, eventId: string): boolean =>
  onlyEventIds === null || onlyEventIds.includes(eventId);

/** Owners and admins manage the organization, so they have all events. */
export const isForAllEvents = (role: Role): boolean => managers.some((one) => one === role);

/** What it takes to give or take these roles. */
export const actionToManage = (...given: readonly Role[]): Action =>
  given.includes('owner') ? 'owner.manage' : 'member.manage';

export function denyAction(authority: Authority, action: Action): ActionDenial | null {
  const { emailVerifiedAt, isReauthenticated, lacksFactor } = authority;
  if (authority.scopes) return denyKey({ ...authority, scopes: authority.scopes }, action);
  if (lacksFactor) return 'factor-required';
  const { needs = [] }: Permission = permissions[action];
  if (!isAllowed(authority, action)) return 'role-denied';
  if (needs.includes('verified-email') && !emailVerifiedAt) return 'email-unverified';
  return needs.includes('reauthentication') && !isReauthenticated ? 'reauthentication-required' : null;
}

interface KeyAccess extends Pick<Access, 'onlyEventIds'> {
  scopes: readonly Scope[];
}

function denyKey({ scopes: given, onlyEventIds }: KeyAccess, action: Action): ActionDenial | null {
  const { scopes = [], needsAllEvents }: Permission = permissions[action];
  if (scopes.length === 0) return 'role-denied';
  if (!scopes.some((scope) => given.includes(scope))) return 'scope-missing';
  return needsAllEvents && onlyEventIds ? 'key-of-chosen-events' : null;
}

/** The scope that is made for the action. */
export function scopeFor(action: Action): Scope | null {
  const { scopes = [] }: Permission = permissions[action];
  return scopes[0] ?? null;
}
