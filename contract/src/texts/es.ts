// Spanish.
import type { Catalogue } from './catalogue.ts';

export const es: Catalogue = {
  errors: {
    BAD_REQUEST: `{reason, select,
      not_json {El mensaje no es JSON.}
      not_an_object {El mensaje no es un objeto.}
      op_and_method_differ {op y method nombran comandos distintos.}
      binary {Solo se leen mensajes de texto.}
      too_large {El mensaje supera {limit_bytes, plural, one {# byte} other {# bytes}}.}
      other {La solicitud no se puede leer.}}`,
    VALIDATION_FAILED: 'Un campo tiene un valor no permitido: {field}',
    MISSING_FIELD: 'Falta un campo obligatorio: {field}',
    IDEMPOTENCY_KEY_MISSING: 'Esta operación necesita la cabecera Idempotency-Key.',
    IDEMPOTENCY_KEY_MALFORMED:
      'Idempotency-Key debe tener de 8 a 128 caracteres de A-Z, a-z, 0-9, _ y -.',
    ID_MALFORMED: 'El id no es un id de este servicio.',
    ID_INVALID_KIND: 'El id pertenece a otro tipo de registro.',
    WEBHOOK_URL_INVALID: 'La URL del webhook debe ser https y pública, sin usuario ni fragmento.',
    TEMPLATE_SCHEMA_INVALID: 'params_schema no es un JSON Schema aceptado.',
    TEMPLATE_DISPLAY_KEY_MISSING: 'display_defaults usa una clave que params_schema no tiene.',
    AUTH_REQUIRED: 'Esta operación necesita una credencial.',
    AUTH_INVALID: `{reason, select,
      expired {La credencial ha caducado.}
      revoked {La credencial fue revocada.}
      other {La credencial fue rechazada.}}`,
    WRONG_ENV_KEY: 'La credencial pertenece al otro entorno.',
    TOKEN_INVALID: 'El token no se puede verificar.',
    PASSWORD_INCORRECT: 'El correo o la contraseña no son correctos.',
    SCOPE_MISSING: 'A la credencial le falta el permiso que necesita esta operación.',
    SCOPE_NOT_ALLOWED: 'Un permiso solicitado no se puede conceder aquí.',
    STEP_UP_MFA_REQUIRED: 'Confirme antes otra vez que es usted.',
    BUILDER_NOT_APPROVED: 'El perfil de desarrollador no está aprobado.',
    APP_NOT_APPROVED: 'La aplicación no está aprobada.',
    PKCE_INVALID: 'El code_verifier no corresponde al desafío.',
    AUTH_CODE_EXPIRED: 'El código de autorización ha caducado.',
    AUTH_CODE_CONSUMED: 'El código de autorización ya se ha usado.',
    REDIRECT_URI_MISMATCH: 'redirect_uri es distinta de la de la autorización.',
    TIMESTAMP_SKEW: 'La marca de tiempo difiere en más de 300 segundos.',
    NONCE_REUSED: 'El nonce ya se usó.',
    SIGNATURE_INVALID: 'La firma de la solicitud no coincide.',
    TOKEN_EXPIRED: 'El token ha caducado.',
    TOKEN_REVOKED: 'El token fue revocado.',
    REFRESH_TOKEN_REUSED: 'El token de renovación ya se usó; toda su familia queda revocada.',
    APP_DISABLED: 'La aplicación está desactivada.',
    DELEGATION_MISSING: 'No hay delegación para esta cuenta.',
    DELEGATION_EXPIRED: 'La delegación ha caducado.',
    DELEGATION_SCOPE_MISMATCH: 'La delegación no abarca esta acción.',
    DELEGATION_DAILY_CAP_EXCEEDED: 'Se ha superado el límite diario de la delegación.',
    JURISDICTION_BLOCKED: 'Esto no se ofrece en su país.',
    SANCTIONS_HIT: 'La cuenta está bloqueada por un control de sanciones.',
    COMPLIANCE_GATE_BLOCKED: 'Un control de cumplimiento lo impide.',
    TIER_UPGRADE_REQUIRED: 'Para esto hace falta un nivel superior.',
    ANTI_ABUSE_BLOCKED: 'La protección contra abusos detuvo la solicitud.',
    SUBACCOUNT_FROZEN: 'La subcuenta está congelada.',
    WIDGET_ORIGIN_BLOCKED: 'La clave del widget no está permitida en este origen.',
    SANDBOX_ONLY: 'Esta operación solo existe en el entorno de pruebas.',
    PROD_ONLY: 'Esta operación está desactivada en el entorno de pruebas.',
    NOT_FOUND: 'Aquí no hay nada.',
    MARKET_NOT_FOUND: 'Ese mercado no existe.',
    IDEMPOTENCY_BODY_MISMATCH: 'La Idempotency-Key se usó con otra solicitud.',
    IDEMPOTENCY_IN_FLIGHT: 'La primera solicitud con esta clave sigue en curso.',
    ALREADY_EXISTS: 'Ya existe un registro así.',
    CONFLICT: 'Un valor que debe ser único ya está ocupado.',
    STATE_CONFLICT: 'El estado del registro no lo permite.',
    SUBACCOUNT_LABEL_TAKEN: 'Otra subcuenta ya tiene ese nombre.',
    SUBACCOUNT_HAS_BALANCE: 'La subcuenta aún tiene saldo.',
    SUBACCOUNT_HAS_POSITIONS: 'La subcuenta aún tiene posiciones.',
    SUBACCOUNT_HAS_OPEN_ORDERS: 'La subcuenta aún tiene órdenes abiertas.',
    PROPOSAL_STATE_INVALID: 'El estado de la propuesta no lo permite.',
    RESOLUTION_CHALLENGE_OPEN: 'El plazo de impugnación sigue abierto.',
    RISK_LIMIT_BREACH: 'Se superaría un límite de riesgo de la cuenta.',
    BUILDER_FEE_ABOVE_CAP: 'builder_fee_bps supera el máximo de la aplicación.',
    MARKET_HALTED:
      'La negociación en este mercado está detenida; las cancelaciones siguen funcionando.',
    MARKET_CLOSED: 'El mercado no está abierto a la negociación.',
    MARKET_NOT_APPROVED: 'El mercado aún espera su aprobación.',
    MARKET_TEMPLATE_UNKNOWN: 'Ninguna plantilla activa tiene este id.',
    MARKET_TEMPLATE_PARAM_INVALID: 'params no cumple la plantilla.',
    ORACLE_ADAPTER_UNKNOWN: 'Ningún adaptador de oráculo tiene este nombre.',
    RESOLUTION_LOCKED: 'La resolución es definitiva.',
    PASSWORD_TOO_WEAK: 'La contraseña es demasiado débil.',
    OPERATOR_AGREEMENT_MISSING: 'El acuerdo de desarrolladores no está aceptado.',
    BALANCE_INSUFFICIENT: 'El saldo es insuficiente.',
    RESOLUTION_EVIDENCE_MISSING: 'Una resolución necesita pruebas.',
    WEBHOOK_EVENT_UNKNOWN: 'Ningún tipo de evento tiene este nombre.',
    RATE_LIMITED: `Demasiadas solicitudes{retry_after_sec, plural,
      =0 {.} one {; inténtelo de nuevo en # segundo.} other {; inténtelo de nuevo en # segundos.}}`,
    TIER_LIMIT_EXCEEDED: 'La orden supera el límite del nivel.',
    SANDBOX_KEY_DAILY_LIMIT:
      'Una clave de pruebas por dirección y día: use la que tiene o regístrese.',
    INTERNAL_ERROR: 'Algo falló de nuestro lado.',
    SERVICE_UNAVAILABLE: `{reason, select,
      busy {Hay demasiadas órdenes en espera; inténtelo de nuevo en un momento.}
      closing {El servicio se está cerrando.}
      recovering {El mercado se está recuperando de su diario; inténtelo de nuevo en un momento.}
      stopped {El mercado se ha detenido y espera a su operador.}
      interrupted {El mercado se detuvo a la mitad; la misma Idempotency-Key dice qué ocurrió.}
      history {El historial no se puede leer ahora; la negociación continúa.}
      not_offered {Este flujo aún no se ofrece.}
      other {Una parte del servicio está desactivada.}}`,
    MAINTENANCE: 'El servicio está en mantenimiento.',
    READ_ONLY_MODE: 'La negociación está en pausa; se puede leer y cancelar.',
    UPSTREAM_ERROR: 'Falló un servicio del que dependemos.',
    UPSTREAM_TIMEOUT: 'La respuesta no llegó a tiempo.',
  },
  notices: {
    throttled: `Demasiados mensajes: {frames_dropped, plural,
      one {se descartó #} other {se descartaron #}}. Espere {retry_after_ms, number} ms.`,
    auth_expiring: `La credencial caduca en {seconds, plural,
      one {# segundo} other {# segundos}}; vuelva a autenticarse.`,
    auth_revoked: `{reason, select,
      key_revoked {La clave fue revocada.}
      session_revoked {La sesión terminó.}
      token_revoked {El token fue revocado.}
      grant_revoked {Se retiró el acceso a la aplicación.}
      expired {La credencial ha caducado.}
      other {La credencial ya no es válida.}}`,
    resync_required: `{reason, select,
      slow_consumer {Se omitieron mensajes porque no se leyeron a tiempo.}
      epoch_changed {El servicio se reinició; sus números empiezan de nuevo.}
      gap {El servicio no conoce el último número.}
      other {Lo que se perdió ya no se puede repetir.}}`,
    going_away: `La conexión está a punto de cerrarse; vuelva a conectarse en {seconds, plural,
      one {# segundo} other {# segundos}}.`,
    maintenance: 'El servicio se reinicia.',
    circuit_breaker: `{state, select,
      closed {{scope, select,
        market {La negociación en el mercado continúa.}
        other {El servicio vuelve a funcionar con normalidad.}}}
      other {{scope, select,
        market {La negociación en el mercado está detenida.}
        other {Una parte del servicio no funciona bien.}}}}`,
    platform_mode: `{mode, select,
      normal {Todo funciona con normalidad.}
      cancel_only {Por ahora solo se puede leer y cancelar.}
      other {La negociación está en pausa; se puede leer.}}`,
    signals: `{kind, select,
      price_move {El precio se movió en {seconds, plural, one {# segundo} other {# segundos}}}
      volume_spike {El volumen subió en {seconds, plural, one {# segundo} other {# segundos}}}
      liquidity_shift {La profundidad cambió en {seconds, plural, one {# segundo} other {# segundos}}}
      spread_widening {El diferencial se amplió en {seconds, plural, one {# segundo} other {# segundos}}}
      closing_soon {La negociación cierra pronto}
      other {Algo inusual}}: {title} (intensidad {strength, number, percent})`,
  },
};
