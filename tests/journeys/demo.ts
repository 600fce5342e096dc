/** Demo data that the server prints at start: an event on sale, a login, and the event's attendant code. */
export interface Demo {
  eventUrl: string;
  email: string;
  password: string;
  attendantCode: string;
}

export function demoIn(output: string): Demo {
  const read = (pattern: RegExp) => {
    const values = pattern.exec(output)?.slice(1);
    if (!values) throw new Error(`the start output has nothing like ${String(pattern)}:\n${output}`);
    return values;
  };
  const [eventUrl = ''] = read(/An event on sale:\s+(\S+)/);
  const [email = '', password = ''] = read(/(\S+@\S+) \/ (.+)/);
  const [attendantCode = ''] = read(/code (\w{10})/);
  return { eventUrl, email, password: password.trim(), attendantCode };
}
