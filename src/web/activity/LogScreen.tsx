import { useLocation } from 'react-router';
import { ActivityScreen } from './ActivityScreen.tsx';
import { AuditScreen } from './AuditScreen.tsx';

/** The same log: of an organization for its members, and of all of them for operators. */
export function LogScreen() {
  return useLocation().pathname.toLowerCase().startsWith('/dashboard') ? <AuditScreen /> : <ActivityScreen />;
}

export { LogScreen as Component };
