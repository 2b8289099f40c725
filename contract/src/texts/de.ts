// German.
import type { Catalogue } from './catalogue.ts';

export const de: Catalogue = {
  errors: {
    BAD_REQUEST: `{reason, select,
      not_json {Der Frame ist kein JSON.}
      not_an_object {Der Frame ist kein Objekt.}
      op_and_method_differ {op und method nennen verschiedene Befehle.}
      binary {Es werden nur Text-Frames gelesen.}
      too_large {Der Frame ist größer als {limit_bytes, plural, one {# Byte} other {# Bytes}}.}
      other {Die Anfrage ist nicht lesbar.}}`,
    VALIDATION_FAILED: 'Ein Feld hat einen ungültigen Wert: {field}',
    MISSING_FIELD: 'Ein Pflichtfeld fehlt: {field}',
    IDEMPOTENCY_KEY_MISSING: 'Diese Operation braucht einen Idempotency-Key-Header.',
    IDEMPOTENCY_KEY_MALFORMED:
      'Idempotency-Key muss aus 8 bis 128 Zeichen von A-Z, a-z, 0-9, _ und - bestehen.',
    ID_MALFORMED: 'Die ID ist keine ID dieses Dienstes.',
    ID_INVALID_KIND: 'Die ID gehört zu einer anderen Art von Datensatz.',
    WEBHOOK_URL_INVALID:
      'Die Webhook-URL muss https sein und öffentlich erreichbar, ohne Benutzerdaten und Fragment.',
    TEMPLATE_SCHEMA_INVALID: 'params_schema ist kein zulässiges JSON-Schema.',
    TEMPLATE_DISPLAY_KEY_MISSING:
      'display_defaults verwendet einen Schlüssel, den params_schema nicht hat.',
    AUTH_REQUIRED: 'Dafür ist eine Anmeldung nötig.',
    AUTH_INVALID: `{reason, select,
      expired {Die Zugangsdaten sind abgelaufen.}
      revoked {Die Zugangsdaten wurden widerrufen.}
      other {Die Zugangsdaten wurden abgelehnt.}}`,
    WRONG_ENV_KEY: 'Die Zugangsdaten gehören zur anderen Umgebung.',
    TOKEN_INVALID: 'Das Token lässt sich nicht prüfen.',
    PASSWORD_INCORRECT: 'E-Mail oder Passwort ist falsch.',
    SCOPE_MISSING: 'Den Zugangsdaten fehlt die nötige Berechtigung.',
    SCOPE_NOT_ALLOWED: 'Eine verlangte Berechtigung kann hier nicht erteilt werden.',
    STEP_UP_MFA_REQUIRED: 'Bestätigen Sie zuerst noch einmal, dass Sie es sind.',
    BUILDER_NOT_APPROVED: 'Das Builder-Profil ist nicht freigegeben.',
    APP_NOT_APPROVED: 'Die App ist nicht freigegeben.',
    PKCE_INVALID: 'Der code_verifier passt nicht zur Challenge.',
    AUTH_CODE_EXPIRED: 'Der Autorisierungscode ist abgelaufen.',
    AUTH_CODE_CONSUMED: 'Der Autorisierungscode wurde schon benutzt.',
    REDIRECT_URI_MISMATCH: 'redirect_uri weicht von der bei der Autorisierung ab.',
    TIMESTAMP_SKEW: 'Der Zeitstempel weicht um mehr als 300 Sekunden ab.',
    NONCE_REUSED: 'Die Nonce wurde schon verwendet.',
    SIGNATURE_INVALID: 'Die Signatur der Anfrage stimmt nicht.',
    TOKEN_EXPIRED: 'Das Token ist abgelaufen.',
    TOKEN_REVOKED: 'Das Token wurde widerrufen.',
    REFRESH_TOKEN_REUSED:
      'Das Refresh-Token wurde schon benutzt; seine ganze Familie ist widerrufen.',
    APP_DISABLED: 'Die App ist abgeschaltet.',
    DELEGATION_MISSING: 'Für dieses Konto gibt es keine Vollmacht.',
    DELEGATION_EXPIRED: 'Die Vollmacht ist abgelaufen.',
    DELEGATION_SCOPE_MISMATCH: 'Die Vollmacht deckt das nicht.',
    DELEGATION_DAILY_CAP_EXCEEDED: 'Die Tagesgrenze der Vollmacht ist überschritten.',
    JURISDICTION_BLOCKED: 'Das wird in Ihrem Land nicht angeboten.',
    SANCTIONS_HIT: 'Das Konto ist durch eine Sanktionsprüfung gesperrt.',
    COMPLIANCE_GATE_BLOCKED: 'Eine Prüfung steht dem entgegen.',
    TIER_UPGRADE_REQUIRED: 'Dafür ist eine höhere Stufe nötig.',
    ANTI_ABUSE_BLOCKED: 'Der Schutz vor Missbrauch hat die Anfrage angehalten.',
    SUBACCOUNT_FROZEN: 'Das Unterkonto ist eingefroren.',
    WIDGET_ORIGIN_BLOCKED: 'Der Widget-Schlüssel ist auf dieser Seite nicht erlaubt.',
    SANDBOX_ONLY: 'Diese Operation gibt es nur in der Sandbox.',
    PROD_ONLY: 'Diese Operation ist in der Sandbox abgeschaltet.',
    NOT_FOUND: 'Hier gibt es nichts.',
    MARKET_NOT_FOUND: 'Diesen Markt gibt es nicht.',
    IDEMPOTENCY_BODY_MISMATCH: 'Der Idempotency-Key wurde mit einer anderen Anfrage verwendet.',
    IDEMPOTENCY_IN_FLIGHT: 'Die erste Anfrage mit diesem Schlüssel läuft noch.',
    ALREADY_EXISTS: 'Einen solchen Datensatz gibt es schon.',
    CONFLICT: 'Ein Wert, der eindeutig sein muss, ist vergeben.',
    STATE_CONFLICT: 'Der Zustand des Datensatzes lässt das nicht zu.',
    SUBACCOUNT_LABEL_TAKEN: 'Ein anderes Unterkonto heißt schon so.',
    SUBACCOUNT_HAS_BALANCE: 'Das Unterkonto hat noch Guthaben.',
    SUBACCOUNT_HAS_POSITIONS: 'Das Unterkonto hat noch Positionen.',
    SUBACCOUNT_HAS_OPEN_ORDERS: 'Das Unterkonto hat noch offene Orders.',
    PROPOSAL_STATE_INVALID: 'Der Zustand des Vorschlags lässt das nicht zu.',
    RESOLUTION_CHALLENGE_OPEN: 'Die Einspruchsfrist läuft noch.',
    RISK_LIMIT_BREACH: 'Ein Risikolimit des Kontos würde überschritten.',
    BUILDER_FEE_ABOVE_CAP: 'builder_fee_bps liegt über der Grenze der App.',
    MARKET_HALTED: 'Der Handel in diesem Markt ist angehalten; Stornos gehen weiterhin.',
    MARKET_CLOSED: 'Der Markt ist nicht für den Handel geöffnet.',
    MARKET_NOT_APPROVED: 'Der Markt wartet noch auf seine Freigabe.',
    MARKET_TEMPLATE_UNKNOWN: 'Keine aktive Vorlage hat diese ID.',
    MARKET_TEMPLATE_PARAM_INVALID: 'params erfüllt die Vorlage nicht.',
    ORACLE_ADAPTER_UNKNOWN: 'Kein Orakel-Adapter hat diesen Namen.',
    RESOLUTION_LOCKED: 'Die Entscheidung ist endgültig.',
    PASSWORD_TOO_WEAK: 'Das Passwort ist zu schwach.',
    OPERATOR_AGREEMENT_MISSING: 'Die Builder-Vereinbarung ist nicht angenommen.',
    BALANCE_INSUFFICIENT: 'Das Guthaben reicht nicht aus.',
    RESOLUTION_EVIDENCE_MISSING: 'Eine Entscheidung braucht Belege.',
    WEBHOOK_EVENT_UNKNOWN: 'Keine Ereignisart hat diesen Namen.',
    RATE_LIMITED: `Zu viele Anfragen{retry_after_sec, plural,
      =0 {.} one {; in # Sekunde erneut versuchen.} other {; in # Sekunden erneut versuchen.}}`,
    TIER_LIMIT_EXCEEDED: 'Die Order liegt über der Grenze der Stufe.',
    SANDBOX_KEY_DAILY_LIMIT:
      'Ein Sandbox-Schlüssel je Adresse und Tag: Verwenden Sie den, den Sie haben, oder registrieren Sie sich.',
    INTERNAL_ERROR: 'Auf unserer Seite ist etwas fehlgeschlagen.',
    SERVICE_UNAVAILABLE: `{reason, select,
      busy {Zu viele Aufträge warten; bitte gleich noch einmal versuchen.}
      closing {Der Dienst wird beendet.}
      recovering {Die Börse wird aus ihrem Journal wiederhergestellt; bitte gleich noch einmal versuchen.}
      stopped {Die Börse steht und wartet auf ihren Betreiber.}
      interrupted {Die Börse blieb mittendrin stehen; derselbe Idempotency-Key sagt, was daraus wurde.}
      history {Die Vergangenheit ist gerade nicht lesbar; der Handel geht weiter.}
      not_offered {Diesen Strom gibt es noch nicht.}
      other {Ein Teil des Dienstes ist abgeschaltet.}}`,
    MAINTENANCE: 'Der Dienst wird gewartet.',
    READ_ONLY_MODE: 'Der Handel pausiert; Lesen und Stornieren gehen weiterhin.',
    UPSTREAM_ERROR: 'Ein Dienst, auf den wir angewiesen sind, hat versagt.',
    UPSTREAM_TIMEOUT: 'Die Antwort kam nicht rechtzeitig.',
  },
  notices: {
    throttled: `Zu viele Frames: {frames_dropped, plural,
      one {# wurde verworfen} other {# wurden verworfen}}. Bitte {retry_after_ms, number} ms warten.`,
    auth_expiring: `Die Anmeldung endet in {seconds, plural,
      one {# Sekunde} other {# Sekunden}}; bitte erneut anmelden.`,
    auth_revoked: `{reason, select,
      key_revoked {Der Schlüssel wurde widerrufen.}
      session_revoked {Die Sitzung wurde beendet.}
      token_revoked {Das Token wurde widerrufen.}
      grant_revoked {Der App wurde der Zugriff entzogen.}
      expired {Die Anmeldung ist abgelaufen.}
      other {Die Zugangsdaten gelten nicht mehr.}}`,
    resync_required: `{reason, select,
      slow_consumer {Nachrichten wurden übersprungen, weil sie nicht rechtzeitig gelesen wurden.}
      epoch_changed {Der Dienst wurde neu gestartet; seine Nummern beginnen von vorn.}
      gap {Die letzte Nummer ist dem Dienst unbekannt.}
      other {Das Verpasste kann nicht mehr wiederholt werden.}}`,
    going_away: `Die Verbindung wird gleich getrennt; bitte in {seconds, plural,
      one {# Sekunde} other {# Sekunden}} neu verbinden.`,
    maintenance: 'Der Dienst startet neu.',
    circuit_breaker: `{state, select,
      closed {{scope, select,
        market {Der Handel im Markt geht weiter.}
        other {Der Dienst arbeitet wieder normal.}}}
      other {{scope, select,
        market {Der Handel im Markt ist angehalten.}
        other {Ein Teil des Dienstes arbeitet nicht richtig.}}}}`,
    platform_mode: `{mode, select,
      normal {Alles arbeitet normal.}
      cancel_only {Zurzeit sind nur Lesen und Stornieren möglich.}
      other {Der Handel pausiert; Lesen geht weiterhin.}}`,
    signals: `{kind, select,
      price_move {Preisbewegung innerhalb von {seconds, plural, one {# Sekunde} other {# Sekunden}}}
      volume_spike {Mehr Umsatz innerhalb von {seconds, plural, one {# Sekunde} other {# Sekunden}}}
      liquidity_shift {Markttiefe verschoben innerhalb von {seconds, plural, one {# Sekunde} other {# Sekunden}}}
      spread_widening {Spanne ausgeweitet innerhalb von {seconds, plural, one {# Sekunde} other {# Sekunden}}}
      closing_soon {Der Handel schließt bald}
      other {Etwas Ungewöhnliches}}: {title} (Stärke {strength, number, percent})`,
  },
};
