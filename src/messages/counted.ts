/** `1,420 tickets`, `1 ticket`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,420` */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
