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
}

/** Everything of another organization is not found. */
const permissions = {
  'event.view': { roles: everyone },
  'event.create': { roles: editors },
  'event.edit': { roles: editors },
  'event.cancel': { roles: managers },
  'guest.view': { roles: ['owner', 'admin', 'editor', 'finance'] },
  'guest.export': { roles: ['owner', 'admin', 'finance'], needs: ['reauthentication'] },
  'ticket.resend': { roles: editors },
  'check-in.manage': { roles: editors },
  'check-in.scan': { roles: ['owner', 'admin', 'editor', 'check-in'] },
  'payout.request': { roles: ['owner', 'finance'], needs: ['verified-email', 'reauthentication'] },
  'audit.view': { roles: managers },
  'affiliate-code.generate': { roles: managers },
  'organization.identify': { roles: owners, needs: ['verified-email'] },
  'tax-id.change': { roles: owners, needs: ['verified-email', 'reauthentication'] },
  'organization.require-factor': { roles: owners, needs: ['reauthentication'] },
  'organization.export': { roles: owners, needs: ['reauthentication'] },
  // The call itself takes the password.
  'organization.delete': { roles: owners },
  'payout-account.manage': { roles: owners, needs: ['verified-email', 'reauthentication'] },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof permissions;

/** How long an entered password counts. */
export const REAUTHENTICATION_MINUTES = 10;

export interface Authority {
  role: Role;
  emailVerifiedAt: Date | null;
  /** Whether the member entered the password in the last minutes. */
  isReauthenticated: boolean;
  /** The organization requires a second factor that the member hasn't set up. */
  lacksFactor: boolean;
}

export type ActionDenial = 'factor-required' | 'role-denied' | 'email-unverified' | 'reauthentication-required';

/** Whether the role permits the action, whatever it has to prove first. */
export const isAllowed = (role: Role, action: Action): boolean =>
  (permissions[action].roles as readonly Role[]).includes(role);

export function denyAction(
  { role, emailVerifiedAt, isReauthenticated, lacksFactor }: Authority,
  action: Action,
): ActionDenial | null {
  if (lacksFactor) return 'factor-required';
  const { needs = [] }: Permission = permissions[action];
  if (!isAllowed(role, action)) return 'role-denied';
  if (needs.includes('verified-email') && !emailVerifiedAt) return 'email-unverified';
  return needs.includes('reauthentication') && !isReauthenticated ? 'reauthentication-required' : null;
}
