/** Above the screens of organizers, and the account on their home. */
export const topBar = {
  label: 'Your workspace',
  events: 'Events',
  money: 'Money',
  operator: 'Operator',
  create: 'Create Event',
  menu: 'Account menu',
  account: 'Account',
  yourData: 'Your data',
  theme: 'Theme',
  logOut: 'Log out',
};

export const accountRows = {
  title: 'Account',
  notSet: 'Not set yet',
  organization: 'Organization',
  email: 'Email',
  password: 'Password',
  passwordNote: 'And how you log in',
  team: 'Team',
  payouts: 'Payouts',
  connected: 'Connected to Stripe',
  notConnected: 'Not connected to Stripe yet',
  affiliate: 'Affiliate',
  affiliateNote: 'Codes that waive a fee',
  yourData: 'Your data',
  yourDataNote: 'What we store about you',
  logOut: 'Log out',
  logOutNote: 'On this device',
};

export const taxIdText = {
  label: 'Tax ID',
  onFile: (type: 'individual' | 'company', last4: string) => `${type === 'company' ? 'EIN' : 'SSN/ITIN'} ••${last4}`,
  change: 'Change tax ID',
};
