/** Teams: members, roles, invitations, and switching between organizations. */
import type { Role } from '#domain/accounts/roles.ts';
import { INVITATION_DAYS, MEMBERS_MAX, ORGANIZATIONS_PER_PERSON_MAX } from '#domain/accounts/team.ts';

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  finance: 'Finance',
  'check-in': 'Check-in',
  viewer: 'Viewer',
};

/** What each role is for, in one line. */
export const roleDescriptions: Record<Role, string> = {
  owner: 'Everything, including payouts, the tax ID and other owners.',
  admin: 'Everything except money, the tax ID and owners.',
  editor: 'Creates and edits events, sees guests and manages the door.',
  finance: 'Sees guests and sales, exports guests and requests payouts.',
  'check-in': 'Checks in guests with their own phone.',
  viewer: 'Sees events and sales, but no names.',
};

export const teamErrors = {
  'team.last-owner': 'An organization needs an owner. Make someone else an owner first.',
  'team.already-member': 'This person is already a member.',
  'team.unknown-member': "This person isn't a member any more.",
  'team.unknown-event': "One of these events isn't yours.",
  'team.full': `An organization can have ${MEMBERS_MAX} members at most, invited ones included.`,
  'team.too-many-organizations': `You can be in ${ORGANIZATIONS_PER_PERSON_MAX} organizations at most. Leave one first.`,
  'team.unknown-organization': "You aren't a member of this organization any more.",
  'team.all-events': 'Owners and admins have all events.',
  'invitation.unknown': "This invitation isn't valid any more. Ask for a new one.",
  'invitation.other-address': ({ email }: { email: string }) =>
    `This invitation is for ${email}. Log in with that address to accept it.`,
};

export const teamPage = {
  title: 'Team',
  lead: 'Who works with you, and what they may do.',
  back: 'Back to your events',
  notLoaded: "We couldn't load your team.",
  failed: "That didn't work. Please try again.",
  members: 'Members',
  onlyYou: 'Only you have access.',
  caption: 'Members of the organization',
  person: 'Person',
  you: 'You',
  role: 'Role',
  events: 'Events',
  allEvents: 'All events',
  lastSeen: 'Last seen',
  neverSeen: 'Not yet',
  actions: 'Change',
  change: 'Change',
  changeLabel: (email: string) => `Change what ${email} may do`,
  remove: 'Remove',
  removeLabel: (email: string) => `Remove ${email}`,
  invite: 'Invite',
  inviteTitle: 'Invite a member',
  inviteWhy: `We email a link that works for ${INVITATION_DAYS} days.`,
  email: 'Email',
  which: 'Which events',
  chosenEvents: 'Only chosen events',
  noEvents: 'You have no events yet.',
  chooseEvents: 'Choose at least one event.',
  send: 'Send the invitation',
  changeTitle: (email: string) => `What ${email} may do`,
  save: 'Save',
  cancel: 'Cancel',
  removeTitle: 'Remove a member',
  removeWhy: (email: string) =>
    `${email} is logged out of your organization right away. Their own phone stops checking in. If they know an attendant code, change it, too.`,
  confirmRemove: 'Remove',
  keep: 'Keep',
  invitations: 'Invitations',
  invitationsCaption: 'Invitations that are waiting',
  until: 'Works until',
  withdraw: 'Withdraw',
  withdrawLabel: (email: string) => `Withdraw the invitation of ${email}`,
  leave: 'Leave this organization',
  leaveTitle: 'Leave this organization',
  leaveWhy: 'You lose access right away. Only a new invitation brings you back.',
  stay: 'Stay',
};

export const memberStatus = {
  verifyEmail: 'Verify your email address to get started.',
  ownerSetsUp: 'To sell tickets for money, an owner has to finish setting up the organization.',
};

export const teamDone = {
  invited: 'The invitation is on its way.',
  withdrawn: "The invitation doesn't work any more.",
  roleChanged: 'Saved. It counts from now on.',
  removed: 'Removed. They have no access any more.',
  left: "You've left the organization.",
  joined: "Welcome! You're a member now.",
};

export const invitationPage = {
  title: 'Join a team',
  loading: 'Opening your invitation…',
  what: (organization: string | null) => `${organization ?? 'An organization'} invites you to their team.`,
  role: (role: Role, isForAllEvents: boolean) =>
    `Your role: ${roleNames[role]}, ${isForAllEvents ? 'for all events' : 'for chosen events'}.`,
  accept: 'Accept the invitation',
  needsLogin: (email: string) =>
    `Log in as ${email} to accept. If you don't have an account yet, register, then open the link in your email again.`,
  logIn: 'Log in',
  register: 'Register',
  toEvents: 'Go to the events',
  failed: "We couldn't open your invitation. Please try again.",
};

export const organizationSwitch = {
  label: 'Organization',
  unnamed: 'Your organization',
};
