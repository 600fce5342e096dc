/** What the reference of the public API says. The contract describes calls and fields. */

export const apiIntroduction = {
  summary: 'Read and edit your events, read orders and tickets, add guests and check them in.',
  description: [
    'Money is in US cents, in fields that end in `_cents`. Times are instants in UTC.',
    'Lists are read page by page: send `next_cursor` of one page as `after` for the next. What exists throughout a walk is in it.',
    'Unknown fields are refused. New fields, and new values of fields such as `status`, can appear in answers at any time.',
    'A key may send 60 requests at once and 20 a second. Above that, the answer is 429 with `Retry-After`. `RateLimit` says how many are left.',
    'Send an `Idempotency-Key` with each POST, and the same one when you send it again: it runs once. For 24 hours, the first answer is the answer, with `Idempotency-Replayed: true`.',
  ].join('\n\n'),
  keys: 'An API key: `Authorization: Bearer hs_live_...`. Owners and admins create keys under Organization, API.',
  done: 'Done.',
  taken: 'Taken. Any other status is tried again.',
  idempotencyKey:
    'A new random text for each thing to do, such as a UUID, and the same one when you repeat the request. At most 255 characters without spaces.',
  ifMatch: "The event's `page_version` that the change is based on. If it is another one by now, nothing is changed.",
  headers: {
    'RateLimit-Policy': 'How many requests (`q`) the key may send in how many seconds (`w`).',
    RateLimit: 'How many of them are left (`r`), and in how many seconds all are again (`t`).',
    'Idempotency-Replayed': '`true` if this is the first answer again.',
  },
  code: 'What a program decides by. Codes never change.',
  message: 'For people, in English.',
  requestId: 'Names this request when you ask for help.',
};

/** What the calls of a group are about. */
export const groupMeaning: Readonly<Record<string, string>> = {
  organization: 'Your organization, and what your key may do.',
  events: 'Your events, and publishing them.',
  ticket_types: 'What an event sells, at which price, and how many.',
  shared_capacities: 'Places that several ticket types sell from.',
  promo_codes: 'Discounts that buyers enter.',
  comps: 'Guests at no charge.',
  questions: 'What buyers are asked.',
  versions: 'What the page of an event said, and since when.',
  orders: 'What was bought, by whom, and at which price.',
  tickets: 'The tickets of orders, their holders, and checking them in.',
  refunds: 'What was returned to buyers.',
  payouts: 'What was paid out to you, with its statement.',
  reports: 'Your sales by day.',
  changes: 'What has changed since you asked last.',
  webhook_endpoints: 'Addresses that are called when something happens.',
};

export const referencePage = {
  title: 'API reference',
  notLoaded: "The reference couldn't load.",
  search: 'Search calls',
  calls: 'Calls',
  noneFound: 'No call matches.',
  tag: (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
  anyScope: 'Any key may call it.',
  scope: 'Needs the scope',
  sends: 'Fields to send',
  answers: 'Answer',
  errors: 'Errors',
  example: 'Example',
  copyExample: (call: string) => `Copy the example of ${call}`,
  scopes: 'Scopes',
  commonErrors: 'Any call can answer',
  errorShape: 'Errors have one shape',
  document: 'Download the OpenAPI description',
  isRequired: 'required',
  isOptional: 'optional',
  orNull: 'or null',
  listOf: (type: string) => `list of ${type}`,
};
