/** *Who uses which ticket* on an order's page. */
export const orderNames = {
  change: 'Change names',
  title: "Who's coming?",
  until: (when: string) => `You can change names until ${when}.`,
  name: (ticket: string) => `Name for ${ticket}`,
  save: 'Save names',
  saving: 'Saving…',
  notSaved: "We couldn't save the names. Please try again.",
  cancel: 'Cancel',
  answers: 'Your answers',
};

export const namesSaved = 'Names saved';

export const orderNameErrors = {
  'names.closed': 'Names can no longer be changed.',
  'names.not-asked': "This event doesn't ask for names.",
  'names.unknown-ticket': "We can't find that ticket.",
};

/** `Meal: Soup`, and `Coming by car? Yes` */
export const answered = ({ label, answer }: { label: string; answer: string }): string =>
  `${label}${/[?!.:]$/.test(label) ? '' : ':'} ${answer}`;
