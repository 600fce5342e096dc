/** What the reference of the public API says. The contract describes calls and fields. */

export const apiIntroduction = {
  summary: 'Read your events, orders and tickets, and check guests in.',
  description: [
    'Money is in US cents, in fields that end in `_cents`. Times are instants in UTC.',
    'Lists are read page by page: send `next_cursor` of one page as `after` for the next. What exists throughout a walk is in it.',
    'Unknown fields are refused. New fields can appear in answers at any time.',
    'A key may send 60 requests at once and 20 a second. Above that, the answer is 429 with `Retry-After`.',
  ].join('\n\n'),
  keys: 'An API key: `Authorization: Bearer hs_live_...`. Owners and admins create keys under Organization, API.',
  done: 'Done.',
  code: 'What a program decides by. Codes never change.',
  message: 'For people, in English.',
  requestId: 'Names this request when you ask for help.',
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
