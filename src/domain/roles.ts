/** What a member may be in an organization. */
export const roles = ['owner', 'admin', 'editor', 'finance', 'check-in', 'viewer'] as const;

export type Role = (typeof roles)[number];

const everyone = roles;
const managers = ['owner', 'admin'] as const;
const editors = ['owner', 'admin', 'editor'] as const;

/** Which roles may do what in their organization. Everything of another organization is not found. */
export const rolesByAction = {
  'event.view': everyone,
  'event.create': editors,
  'event.edit': editors,
  'event.cancel': managers,
  'guest.view': ['owner', 'admin', 'editor', 'finance'],
  'guest.export': ['owner', 'admin', 'finance'],
  'ticket.resend': editors,
  'check-in.manage': editors,
  'check-in.scan': ['owner', 'admin', 'editor', 'check-in'],
  'payout.request': ['owner', 'finance'],
  'affiliate-code.generate': managers,
  'organization.identify': ['owner'],
  'organization.export': ['owner'],
  'organization.delete': ['owner'],
  'payout-account.manage': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof rolesByAction;

export const mayDo = (role: Role, action: Action): boolean => (rolesByAction[action] as readonly Role[]).includes(role);
