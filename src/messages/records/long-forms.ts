/** Next to the button that sends a form longer than the screen. */
import { plural } from '../format.ts';

export const thingsToFix = (count: number) => plural(count, { one: '# thing to fix', other: '# things to fix' });
