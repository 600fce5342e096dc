/** The organizer's home without an event to come. */
export const home = {
  example: 'Example',
  exampleMeans: 'Your first event will look like this.',
  exampleTitle: 'Basement Brass',
  exampleWhen: 'Fri, 8:00 PM · Brooklyn, NY',
  exampleTotals: [
    ['Tickets sold', '116 of 160'],
    ['Gross sales', '$2,924.00'],
    ["You'd get", '$2,717.98'],
    ['Checked in', '0'],
  ],
  runAgain: 'Run it again',
  runAgainTitle: (title: string, day: string) => `${title} ended ${day}. What's next?`,
  runAgainMeans: 'We copy its texts, tickets and photos into a draft. You pick the date.',
} as const;
