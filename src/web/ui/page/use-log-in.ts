import { useCallback } from 'react';
import { useNavigate } from 'react-router';

/** Leads to the login, which leads back to this address. */
export function useLogIn(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    const { pathname, search, hash } = window.location;
    // Several parts of a page ask for it at once.
    if (pathname === '/login') return;
    void navigate('/login', { replace: true, state: { from: pathname + search + hash } });
  }, [navigate]);
}
