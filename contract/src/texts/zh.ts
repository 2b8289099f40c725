// Chinese, in simplified characters.
import type { Catalogue } from './catalogue.ts';

export const zh: Catalogue = {
  errors: {
    BAD_REQUEST: `{reason, select,
      not_json {该帧不是 JSON。}
      not_an_object {该帧不是对象。}
      op_and_method_differ {op 与 method 指定了不同的命令。}
      binary {只读取文本帧。}
      too_large {该帧超过 {limit_bytes, plural, other {# 字节}}。}
      other {无法读取该请求。}}`,
    VALIDATION_FAILED: '字段的值不被允许：{field}',
    MISSING_FIELD: '缺少必填字段：{field}',
    IDEMPOTENCY_KEY_MISSING: '此操作需要 Idempotency-Key 标头。',
    IDEMPOTENCY_KEY_MALFORMED:
      'Idempotency-Key 必须是 8 到 128 个字符，只含 A-Z、a-z、0-9、_ 和 -。',
    ID_MALFORMED: '该 ID 不是本服务的 ID。',
    ID_INVALID_KIND: '该 ID 属于另一类记录。',
    WEBHOOK_URL_INVALID: 'Webhook 网址必须使用 https 且为公网地址，不含用户信息和片段。',
    TEMPLATE_SCHEMA_INVALID: 'params_schema 不是可接受的 JSON Schema。',
    TEMPLATE_DISPLAY_KEY_MISSING: 'display_defaults 使用了 params_schema 中没有的键。',
    AUTH_REQUIRED: '此操作需要凭证。',
    AUTH_INVALID: `{reason, select,
      expired {凭证已过期。}
      revoked {凭证已被撤销。}
      other {凭证被拒绝。}}`,
    WRONG_ENV_KEY: '该凭证属于另一个环境。',
    TOKEN_INVALID: '无法验证该令牌。',
    PASSWORD_INCORRECT: '邮箱或密码错误。',
    SCOPE_MISSING: '凭证缺少此操作所需的权限。',
    SCOPE_NOT_ALLOWED: '所请求的权限不能在此授予。',
    STEP_UP_MFA_REQUIRED: '请先再次确认您的身份。',
    BUILDER_NOT_APPROVED: '开发者资料尚未获批。',
    APP_NOT_APPROVED: '该应用尚未获批。',
    PKCE_INVALID: 'code_verifier 与质询不符。',
    AUTH_CODE_EXPIRED: '授权码已过期。',
    AUTH_CODE_CONSUMED: '授权码已被使用。',
    REDIRECT_URI_MISMATCH: 'redirect_uri 与授权时不同。',
    TIMESTAMP_SKEW: '时间戳相差超过 300 秒。',
    NONCE_REUSED: '该 nonce 已被使用。',
    SIGNATURE_INVALID: '请求签名不匹配。',
    TOKEN_EXPIRED: '令牌已过期。',
    TOKEN_REVOKED: '令牌已被撤销。',
    REFRESH_TOKEN_REUSED: '刷新令牌已被使用；其整个系列均已撤销。',
    APP_DISABLED: '该应用已停用。',
    DELEGATION_MISSING: '该账户没有授权委托。',
    DELEGATION_EXPIRED: '委托授权已过期。',
    DELEGATION_SCOPE_MISMATCH: '委托授权不包含此操作。',
    DELEGATION_DAILY_CAP_EXCEEDED: '已超出委托授权的每日限额。',
    JURISDICTION_BLOCKED: '您所在的国家或地区不提供此服务。',
    SANCTIONS_HIT: '该账户因制裁审查而被冻结。',
    COMPLIANCE_GATE_BLOCKED: '合规检查不允许此操作。',
    TIER_UPGRADE_REQUIRED: '此操作需要更高的等级。',
    ANTI_ABUSE_BLOCKED: '请求被防滥用保护拦截。',
    SUBACCOUNT_FROZEN: '该子账户已被冻结。',
    WIDGET_ORIGIN_BLOCKED: '此来源不允许使用该小组件密钥。',
    SANDBOX_ONLY: '此操作仅在沙盒中可用。',
    PROD_ONLY: '此操作在沙盒中已关闭。',
    NOT_FOUND: '这里什么也没有。',
    MARKET_NOT_FOUND: '该市场不存在。',
    IDEMPOTENCY_BODY_MISMATCH: '该 Idempotency-Key 已用于另一个请求。',
    IDEMPOTENCY_IN_FLIGHT: '使用此键的第一个请求仍在进行。',
    ALREADY_EXISTS: '这样的记录已经存在。',
    CONFLICT: '必须唯一的值已被占用。',
    STATE_CONFLICT: '记录的当前状态不允许此操作。',
    SUBACCOUNT_LABEL_TAKEN: '已有子账户使用此名称。',
    SUBACCOUNT_HAS_BALANCE: '该子账户仍有余额。',
    SUBACCOUNT_HAS_POSITIONS: '该子账户仍有持仓。',
    SUBACCOUNT_HAS_OPEN_ORDERS: '该子账户仍有未成交订单。',
    PROPOSAL_STATE_INVALID: '提案的当前状态不允许此操作。',
    RESOLUTION_CHALLENGE_OPEN: '异议期尚未结束。',
    RISK_LIMIT_BREACH: '将超出账户的风险限额。',
    BUILDER_FEE_ABOVE_CAP: 'builder_fee_bps 高于该应用的上限。',
    MARKET_HALTED: '该市场已暂停交易；仍可撤单。',
    MARKET_CLOSED: '该市场未开放交易。',
    MARKET_NOT_APPROVED: '该市场仍在等待批准。',
    MARKET_TEMPLATE_UNKNOWN: '没有使用此 ID 的有效模板。',
    MARKET_TEMPLATE_PARAM_INVALID: 'params 不符合模板。',
    ORACLE_ADAPTER_UNKNOWN: '没有使用此名称的预言机适配器。',
    RESOLUTION_LOCKED: '裁决已是最终结果。',
    PASSWORD_TOO_WEAK: '密码过于简单。',
    OPERATOR_AGREEMENT_MISSING: '尚未接受开发者协议。',
    BALANCE_INSUFFICIENT: '余额不足。',
    RESOLUTION_EVIDENCE_MISSING: '裁决需要证据。',
    WEBHOOK_EVENT_UNKNOWN: '没有使用此名称的事件类型。',
    RATE_LIMITED: '请求过多{retry_after_sec, plural, =0 {。} other {；请在 # 秒后重试。}}',
    TIER_LIMIT_EXCEEDED: '订单超出该等级的上限。',
    SANDBOX_KEY_DAILY_LIMIT: '每个地址每天只能获得一个沙盒密钥：请使用已有的密钥，或注册账户。',
    INTERNAL_ERROR: '我们这边出了问题。',
    SERVICE_UNAVAILABLE: `{reason, select,
      busy {等待的指令过多，请稍后重试。}
      closing {服务正在关闭。}
      recovering {交易所正在从日志恢复，请稍后重试。}
      stopped {交易所已停止，等待运营者处理。}
      interrupted {交易所在处理途中停止；用相同的 Idempotency-Key 可查询结果。}
      history {暂时无法读取历史记录；交易继续进行。}
      not_offered {该数据流尚未提供。}
      other {服务的一部分已关闭。}}`,
    MAINTENANCE: '服务正在维护。',
    READ_ONLY_MODE: '交易暂停；仍可读取和撤单。',
    UPSTREAM_ERROR: '我们依赖的服务出现故障。',
    UPSTREAM_TIMEOUT: '未能及时得到答复。',
  },
  notices: {
    throttled:
      '帧过多：已丢弃 {frames_dropped, plural, other {# 个}}。请等待 {retry_after_ms, number} 毫秒。',
    auth_expiring: '凭证将在 {seconds, plural, other {# 秒}}后到期；请重新认证。',
    auth_revoked: `{reason, select,
      key_revoked {密钥已被撤销。}
      session_revoked {会话已结束。}
      token_revoked {令牌已被撤销。}
      grant_revoked {该应用的访问权限已被收回。}
      expired {凭证已过期。}
      other {凭证不再有效。}}`,
    resync_required: `{reason, select,
      slow_consumer {因未及时读取，部分消息已被跳过。}
      epoch_changed {服务已重新启动，编号重新开始。}
      gap {服务不认识最后的编号。}
      other {错过的消息已无法重放。}}`,
    going_away: '连接即将关闭；请在 {seconds, plural, other {# 秒}}后重新连接。',
    maintenance: '服务正在重新启动。',
    circuit_breaker: `{state, select,
      closed {{scope, select, market {该市场恢复交易。} other {服务已恢复正常。}}}
      other {{scope, select, market {该市场已暂停交易。} other {服务的一部分运行不正常。}}}}`,
    platform_mode: `{mode, select,
      normal {一切运行正常。}
      cancel_only {目前只能读取和撤单。}
      other {交易暂停；仍可读取。}}`,
    signals: `{kind, select,
      price_move {价格在 {seconds, plural, other {# 秒}}内变动}
      volume_spike {成交量在 {seconds, plural, other {# 秒}}内上升}
      liquidity_shift {市场深度在 {seconds, plural, other {# 秒}}内变化}
      spread_widening {价差在 {seconds, plural, other {# 秒}}内扩大}
      closing_soon {交易即将结束}
      other {异常情况}}：{title}（强度 {strength, number, percent}）`,
  },
};
