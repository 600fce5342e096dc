/** Events whose start moved after half of the tickets were sold, on the operator's dashboard. */
import { plural } from '#messages/format.ts';

export const movedEventList = {
  title: (events: number) =>
    plural(events, { one: '# event moved after half was sold', other: '# events moved after half was sold' }),
  from: 'Was',
  to: 'Now',
  moved: 'Moved',
  more: (count: number) => plural(count, { one: '# more moved earlier.', other: '# more moved earlier.' }),
};
