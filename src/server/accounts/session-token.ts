/**
 * The JWT in the `token` cookie. The web app reads `isAdmin` from it; the server reads only the session ID and looks up
 * everything else.
 */
import { errors, jwtVerify, SignJWT } from 'jose';
import { isUuid } from '#server/platform/ids.ts';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

const ALGORITHM = 'HS256';
const TYPE = 'session+jwt';
const PARTIES = { issuer: 'handstamp', audience: 'handstamp' };

interface Session {
  sessionId: string;
  userId: string;
  isAdmin: boolean;
  createdAt: Date;
  expiresAt: Date;
}

export function writeSessionToken(appSecret: AppSecret, session: Session): Promise<string> {
  return new SignJWT({ sid: session.sessionId, isAdmin: session.isAdmin })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(session.userId)
    .setIssuer(PARTIES.issuer)
    .setAudience(PARTIES.audience)
    .setIssuedAt(session.createdAt)
    .setExpirationTime(session.expiresAt)
    .sign(deriveKey(appSecret, 'session token'));
}

/** The session ID, or `null` for a token that is forged, expired or of another type. */
export async function readSessionToken(appSecret: AppSecret, token: string, now: Date): Promise<string | null> {
  for (const secret of eachSecret(appSecret)) {
    const sessionId = await sessionIn(secret, token, now);
    if (sessionId !== null) return sessionId;
  }
  return null;
}

async function sessionIn(appSecret: AppSecret, token: string, now: Date): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(token, deriveKey(appSecret, 'session token'), {
      ...PARTIES,
      algorithms: [ALGORITHM],
      typ: TYPE,
      currentDate: now,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    });
    return typeof payload.sid === 'string' && isUuid(payload.sid) ? payload.sid : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
