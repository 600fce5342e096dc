/** What a member may do in an organization, and what the member has to prove first. */
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
}

/** Everything of another organization is not found. */
const permissions = {
  'event.view': { roles: everyone },
  'event.create': { roles: editors, needsAllEvents: true },
  'event.edit': { roles: editors },
  'event.cancel': { roles: managers },
  'sales.view': { roles: ['owner', 'admin', 'editor', 'finance', 'viewer'] },
  'guest.view': { roles: ['owner', 'admin', 'editor', 'finance'] },
  'guest.export': { roles: ['owner', 'admin', 'finance'], needs: ['reauthentication'] },
  'ticket.resend': { roles: editors },
  'ticket.refund': { roles: ['owner', 'admin', 'finance'], needs: ['verified-email', 'reauthentication'] },
  'order.correct-email': { roles: editors, needs: ['verified-email'] },
  'door-note.edit': { roles: editors },
  'comp.manage': { roles: editors, needs: ['verified-email'] },
  'check-in.manage': { roles: editors },
  'check-in.scan': { roles: ['owner', 'admin', 'editor', 'check-in'] },
  'dispute.answer': { roles: ['owner', 'admin', 'finance'] },
  'payout.view': { roles: ['owner', 'admin', 'finance'] },
  'payout.request': { roles: ['owner', 'finance'], needs: ['verified-email', 'reauthentication'] },
  'audit.view': { roles: managers },
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
}

export type ActionDenial = 'factor-required' | 'role-denied' | 'email-unverified' | 'reauthentication-required';

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
  if (lacksFactor) return 'factor-required';
  const { needs = [] }: Permission = permissions[action];
  if (!isAllowed(authority, action)) return 'role-denied';
  if (needs.includes('verified-email') && !emailVerifiedAt) return 'email-unverified';
  return needs.includes('reauthentication') && !isReauthenticated ? 'reauthentication-required' : null;
}
