// The prepared statements of the platform store, each with a name that says what it does.
import type Database from 'better-sqlite3';

const statements = {
  addUser: `INSERT INTO users VALUES (@user_id, @email, @email_folded, @password_hash,
    @display_name, @referral_code, @referrer_id, @tier, @rate_multiplier, @live_account_id,
    @sandbox_account_id, @created_at_ms, @is_demo) ON CONFLICT (email_folded) DO NOTHING`,
  userById: 'SELECT * FROM users WHERE user_id = ?',
  userByEmail: 'SELECT * FROM users WHERE email_folded = ?',
  userByReferralCode: 'SELECT * FROM users WHERE referral_code = ?',
  userByAccount: `SELECT * FROM users
    WHERE live_account_id = @accountId OR sandbox_account_id = @accountId`,
  removeUser: 'DELETE FROM users WHERE user_id = ?',
  setUserTier: 'UPDATE users SET tier = ? WHERE user_id = ?',
  setUserRate: 'UPDATE users SET rate_multiplier = ? WHERE user_id = ?',
  setPassword: `UPDATE users SET password_hash = @passwordHash
    WHERE user_id = @userId AND password_hash = @verifiedHash AND EXISTS
      (SELECT 1 FROM sessions WHERE session_id = @keptSessionId AND ended_at_ms IS NULL)`,
  hasPassword: 'SELECT 1 FROM users WHERE user_id = ? AND password_hash = ?',
  endOtherSessions: `UPDATE sessions SET ended_at_ms = @atMs WHERE user_id = @userId
    AND session_id <> @keptSessionId AND ended_at_ms IS NULL AND expires_at_ms > @atMs`,

  addSession: `INSERT INTO sessions VALUES (@session_id, @token_hash, @user_id, @created_at_ms,
    @expires_at_ms, @ended_at_ms)`,
  removeSessions: 'DELETE FROM sessions WHERE user_id = ?',
  sessionById: 'SELECT * FROM sessions WHERE session_id = ?',
  endSession: 'UPDATE sessions SET ended_at_ms = ? WHERE session_id = ? AND ended_at_ms IS NULL',

  addKey: `INSERT INTO keys VALUES (@public_id, @salt, @key_hash, @holder_id, @user_id, @label,
    @permissions, @tier, @minted_at, @born_self_serve, @rate_multiplier, @live_account_id,
    @sandbox_account_id, @created_at_ms, @expires_at_ms, @revoked_at_ms, @last_used_at_ms,
    @minted_by)`,
  parentInForce: `SELECT session_id FROM sessions WHERE session_id = @mintedBy
    AND ended_at_ms IS NULL UNION ALL
    SELECT public_id FROM keys WHERE public_id = @mintedBy AND revoked_at_ms IS NULL`,
  activeKeys: `SELECT COUNT(*) AS count FROM keys WHERE holder_id = @holderId
    AND revoked_at_ms IS NULL AND COALESCE(expires_at_ms > @createdAtMs, TRUE)`,
  claim: 'SELECT day FROM mint_claims WHERE day = ? AND address_hash = ?',
  claimMint: 'INSERT INTO mint_claims VALUES (?, ?) ON CONFLICT DO NOTHING',
  keyById: 'SELECT * FROM keys WHERE public_id = ?',
  keysOf: `SELECT * FROM keys WHERE holder_id = @holderId
    AND COALESCE(@environment = iif(minted_at = 'sandbox' OR tier = 'self_serve',
      'sandbox', 'live'), TRUE)
    AND (created_at_ms, public_id) < (@createdAtMs, @publicId)
    ORDER BY created_at_ms DESC, public_id DESC LIMIT @limit`,
  selfServeKeys: `SELECT * FROM keys WHERE tier = 'self_serve' AND public_id > ?
    AND minted_at = 'live' AND revoked_at_ms IS NULL ORDER BY public_id LIMIT ?`,
  revokeBranch: `WITH RECURSIVE branch (id) AS (SELECT @publicId UNION
      SELECT public_id FROM keys JOIN branch ON minted_by = id)
    UPDATE keys SET revoked_at_ms = @atMs WHERE public_id IN branch AND revoked_at_ms IS NULL
    RETURNING public_id`,
  revokeOtherBranches: `WITH RECURSIVE kept (id) AS (SELECT @keptSessionId UNION
      SELECT public_id FROM keys JOIN kept ON minted_by = id)
    UPDATE keys SET revoked_at_ms = @atMs WHERE holder_id = @userId AND revoked_at_ms IS NULL
    AND public_id NOT IN kept RETURNING public_id`,
  setKeyTier: 'UPDATE keys SET tier = ? WHERE public_id = ?',
  setKeyRate: 'UPDATE keys SET rate_multiplier = ? WHERE public_id = ?',
  touchKey: `UPDATE keys SET last_used_at_ms = @atMs WHERE public_id = @publicId
    AND COALESCE(last_used_at_ms, 0) < @atMs`,

  recordChange: `INSERT INTO tier_changes (subject, field, old_value, new_value, actor, reason,
    at_ms) VALUES (@subject, @field, @from, @to, @actor, @reason, @atMs)`,
  tierChanges: 'SELECT * FROM tier_changes WHERE subject = ? ORDER BY change_id',

  save: `INSERT INTO saved_answers VALUES (@scope, @key, @bodyHash, @answer, @atMs)
    ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash,
    answer = excluded.answer, at_ms = excluded.at_ms`,
  savedAnswer: 'SELECT * FROM saved_answers WHERE scope = ? AND key = ? AND at_ms >= ?',

  setting: 'SELECT value FROM settings WHERE name = ?',
  putSetting: `INSERT INTO settings VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,

  putLifeline: `INSERT INTO lifelines VALUES (@lane, @credential, @accountId, @graceMs)
    ON CONFLICT (lane, credential) DO UPDATE SET account_id = excluded.account_id,
    grace_ms = excluded.grace_ms`,
  dropLifeline: 'DELETE FROM lifelines WHERE lane = ? AND credential = ?',
  lifelines: `SELECT lane, credential, account_id AS accountId, grace_ms AS graceMs
    FROM lifelines ORDER BY lane, credential`,

  putIncident: `INSERT INTO incidents VALUES (@incidentId, @lane, @kind, @fromMs, @toMs, @reason)
    ON CONFLICT (incident_id) DO UPDATE SET to_ms = excluded.to_ms, reason = excluded.reason`,
  pruneIncidents: 'DELETE FROM incidents WHERE to_ms < ?',
  incidents: `SELECT incident_id AS incidentId, lane, kind, from_ms AS fromMs, to_ms AS toMs, reason
    FROM incidents WHERE to_ms IS NULL OR to_ms >= ? ORDER BY from_ms`,

  pruneSessions: 'DELETE FROM sessions WHERE COALESCE(ended_at_ms, expires_at_ms) < ?',
  pruneAnswers: 'DELETE FROM saved_answers WHERE at_ms < ?',
  pruneClaims: 'DELETE FROM mint_claims WHERE day < ?',
} as const;

export type Statements = Readonly<Record<keyof typeof statements, Database.Statement>>;

export function preparePlatform(database: Database.Database): Statements {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements;
}
