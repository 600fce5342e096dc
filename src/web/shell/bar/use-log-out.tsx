import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { logout } from '#contract/app/accounts.ts';
import { unknownError } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { loadCode } from '#web/load-code.ts';
import { preserveTheme } from '#web/shell/theme.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { UnsyncedScansDialog } from './UnsyncedScansDialog.tsx';

/** Logging out and deleting the account both clear this browser's storage, which may hold scans that haven't synced. */
export function useLogOut() {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [atRisk, setAtRisk] = useState<{ unsynced: number; proceed: () => void } | null>(null);

  async function confirmIfUnsynced(proceed: () => void) {
    try {
      const { countUnsyncedScans } = await loadCode(() => import('./unsynced-scans.ts'));
      const unsynced = await countUnsyncedScans();
      if (unsynced === 0) proceed();
      else setAtRisk({ unsynced, proceed });
    } catch (error) {
      toast.error(messageFrom(error, unknownError));
    }
  }

  async function send() {
    setIsBusy(true);
    try {
      await call(logout, {});
      // The server clears its own cookies. This one is readable by scripts, so clear it here too.
      document.cookie = 'token=; Path=/; Max-Age=0';
      preserveTheme();
      void navigate('/login');
    } catch (error) {
      toast.error(`Logout failed: ${messageFrom(error, unknownError)}`);
    }
    setIsBusy(false);
  }

  const question: ReactNode = atRisk && (
    <UnsyncedScansDialog
      unsynced={atRisk.unsynced}
      onStay={() => setAtRisk(null)}
      onProceed={() => {
        setAtRisk(null);
        atRisk.proceed();
      }}
    />
  );
  return { isBusy, logOut: () => confirmIfUnsynced(() => void send()), confirmIfUnsynced, question };
}
